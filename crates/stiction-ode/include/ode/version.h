/* The version of ODE whose interface this is. */
#ifndef STICTION_ODE_VERSION_H
#define STICTION_ODE_VERSION_H

#define dODE_VERSION "0.16.2"

#endif
