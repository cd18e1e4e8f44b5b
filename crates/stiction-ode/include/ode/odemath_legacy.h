/* Names of version 0.5 for vectors and small matrices. */
#ifndef STICTION_ODE_ODEMATH_LEGACY_H
#define STICTION_ODE_ODEMATH_LEGACY_H

#define dOP(a, op, b, c) \
    do { \
        (a)[0] = ((b)[0]) op ((c)[0]); \
        (a)[1] = ((b)[1]) op ((c)[1]); \
        (a)[2] = ((b)[2]) op ((c)[2]); \
    } while (0)
#define dOPC(a, op, b, c) \
    do { \
        (a)[0] = ((b)[0]) op (c); \
        (a)[1] = ((b)[1]) op (c); \
        (a)[2] = ((b)[2]) op (c); \
    } while (0)
#define dOPE(a, op, b) \
    do { \
        (a)[0] op ((b)[0]); \
        (a)[1] op ((b)[1]); \
        (a)[2] op ((b)[2]); \
    } while (0)
#define dOPEC(a, op, c) \
    do { \
        (a)[0] op (c); \
        (a)[1] op (c); \
        (a)[2] op (c); \
    } while (0)
#define dOPE2(a, op1, b, op2, c) \
    do { \
        (a)[0] op1 ((b)[0]) op2 ((c)[0]); \
        (a)[1] op1 ((b)[1]) op2 ((c)[1]); \
        (a)[2] op1 ((b)[2]) op2 ((c)[2]); \
    } while (0)
#define dLENGTHSQUARED(a) dCalcVectorLengthSquare3(a)
#define dLENGTH(a) dCalcVectorLength3(a)
#define dDISTANCE(a, b) dCalcPointsDistance3(a, b)
#define dDOT(a, b) dCalcVectorDot3(a, b)
#define dDOT13(a, b) dCalcVectorDot3_13(a, b)
#define dDOT31(a, b) dCalcVectorDot3_31(a, b)
#define dDOT33(a, b) dCalcVectorDot3_33(a, b)
#define dDOT14(a, b) dCalcVectorDot3_14(a, b)
#define dDOT41(a, b) dCalcVectorDot3_41(a, b)
#define dDOT44(a, b) dCalcVectorDot3_44(a, b)
#define dCROSSpqr(a, op, b, c, p, q, r) \
    do { \
        (a)[0] op ((b)[q] * (c)[2 * (r)] - (b)[2 * (q)] * (c)[r]); \
        (a)[p] op ((b)[2 * (q)] * (c)[0] - (b)[0] * (c)[2 * (r)]); \
        (a)[2 * (p)] op ((b)[0] * (c)[r] - (b)[q] * (c)[0]); \
    } while (0)
#define dCROSS(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 1, 1)
#define dCROSS114(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 1, 4)
#define dCROSS141(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 4, 1)
#define dCROSS144(a, op, b, c) dCROSSpqr(a, op, b, c, 1, 4, 4)
#define dCROSS411(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 1, 1)
#define dCROSS414(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 1, 4)
#define dCROSS441(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 4, 1)
#define dCROSS444(a, op, b, c) dCROSSpqr(a, op, b, c, 4, 4, 4)
#define dCROSSMAT(A, a, skip, plus, minus) \
    do { \
        (A)[1] = minus(a)[2]; \
        (A)[2] = plus(a)[1]; \
        (A)[(skip)] = plus(a)[2]; \
        (A)[(skip) + 2] = minus(a)[0]; \
        (A)[2 * (skip)] = minus(a)[1]; \
        (A)[2 * (skip) + 1] = plus(a)[0]; \
    } while (0)
#define dMULTIPLY0_331(A, B, C) dMultiply0_331(A, B, C)
#define dMULTIPLYADD0_331(A, B, C) dMultiplyAdd0_331(A, B, C)
#define dMULTIPLY1_331(A, B, C) dMultiply1_331(A, B, C)
#define dMULTIPLYADD1_331(A, B, C) dMultiplyAdd1_331(A, B, C)
#define dMULTIPLY0_133(A, B, C) dMultiply0_133(A, B, C)
#define dMULTIPLYADD0_133(A, B, C) dMultiplyAdd0_133(A, B, C)
#define dMULTIPLY0_333(A, B, C) dMultiply0_333(A, B, C)
#define dMULTIPLYADD0_333(A, B, C) dMultiplyAdd0_333(A, B, C)
#define dMULTIPLY1_333(A, B, C) dMultiply1_333(A, B, C)
#define dMULTIPLYADD1_333(A, B, C) dMultiplyAdd1_333(A, B, C)
#define dMULTIPLY2_333(A, B, C) dMultiply2_333(A, B, C)
#define dMULTIPLYADD2_333(A, B, C) dMultiplyAdd2_333(A, B, C)

#endif
