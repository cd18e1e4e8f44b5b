/* A world as text. */
#ifndef STICTION_ODE_EXPORT_DIF_H
#define STICTION_ODE_EXPORT_DIF_H

#include <ode/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Writes the world to a file as Lua tables whose names start with the prefix. */
ODE_API void dWorldExportDIF(dWorldID world, FILE *file, const char *prefix);
/* end of functions */

#ifdef __cplusplus
}
#endif

#endif
