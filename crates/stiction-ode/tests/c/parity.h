/*
 * Every assertion of the parity programs names the functions without which it would fail, and prints
 *   FUNCTION ok|FAILED LINE
 */
#ifndef PARITY_H
#define PARITY_H

#include <math.h>
#include <ode/ode.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int failures;

static void check(const char *function, int holds, int line)
{
    printf("%s %s %d\n", function, holds ? "ok" : "FAILED", line);
    if (!holds) failures++;
}
/* One condition that one, two or three functions bring about. */
#define T(f, condition) check(#f, (condition), __LINE__)
#define T2(f, g, condition)                   \
    do {                                      \
        const int holds = (condition);        \
        check(#f, holds, __LINE__);           \
        check(#g, holds, __LINE__);           \
    } while (0)
#define T3(f, g, h, condition)                \
    do {                                      \
        const int holds = (condition);        \
        check(#f, holds, __LINE__);           \
        check(#g, holds, __LINE__);           \
        check(#h, holds, __LINE__);           \
    } while (0)

static inline int about(dReal a, double b, double tolerance) { return fabs(a - b) <= tolerance * (1 + fabs(b)); }
static inline int near(dReal a, double b) { return about(a, b, 1e-9); }
static inline int near3(const dReal *v, double x, double y, double z)
{
    return near(v[0], x) && near(v[1], y) && near(v[2], z);
}
static inline int near4(const dReal *v, double w, double x, double y, double z) { return near3(v, w, x, y) && near(v[3], z); }

#endif
