/* Errors, wrong use and messages. Here dError and dDebug return after the handler: the process goes on. */
#ifndef STICTION_ODE_ERROR_H
#define STICTION_ODE_ERROR_H

#include <ode/odeconfig.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A handler: number, format and its arguments. */
typedef void dMessageFunction(int number, const char *text, va_list arguments);

/* functions: made from functions.tsv by `cargo xtask headers` */
/* Sets the function that hears of errors; null for standard error. */
ODE_API void dSetErrorHandler(dMessageFunction *handler);
/* Sets the function that hears of wrong use; null for standard error. */
ODE_API void dSetDebugHandler(dMessageFunction *handler);
/* Sets the function that hears of messages; null for standard error. */
ODE_API void dSetMessageHandler(dMessageFunction *handler);
/* The function that hears of errors. */
ODE_API dMessageFunction *dGetErrorHandler(void);
/* The function that hears of wrong use. */
ODE_API dMessageFunction *dGetDebugHandler(void);
/* The function that hears of messages. */
ODE_API dMessageFunction *dGetMessageHandler(void);
/* Reports an error. */
ODE_API void dError(int number, const char *text, ...) ODE_CALLS(dErrorAndReturn);
/* Reports a wrong use. */
ODE_API void dDebug(int number, const char *text, ...) ODE_CALLS(dDebugAndReturn);
/* Reports a message. */
ODE_API void dMessage(int number, const char *text, ...);
/* Reports an error and returns. */
ODE_API void dErrorAndReturn(int number, const char *text, ...);
/* Reports a wrong use and returns. */
ODE_API void dDebugAndReturn(int number, const char *text, ...);
/* end of functions */

#ifdef __cplusplus
}
#endif

#ifndef __GNUC__
#define dError dErrorAndReturn
#define dDebug dDebugAndReturn
#endif

#endif
