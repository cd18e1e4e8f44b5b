/* The precision of dReal: dIDESINGLE or dSINGLE asks for float, else it is double. It must be that of the library. */
#ifndef STICTION_ODE_PRECISION_H
#define STICTION_ODE_PRECISION_H

#if defined(dSINGLE) && defined(dDOUBLE)
#error dSINGLE and dDOUBLE are both defined
#endif
#if !defined(dSINGLE) && !defined(dDOUBLE)
#ifdef dIDESINGLE
#define dSINGLE
#else
#define dDOUBLE
#endif
#endif

#endif
