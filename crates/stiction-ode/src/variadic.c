/*
 * dError, dDebug and dMessage take a variable number of arguments, which stable Rust can call but not define. They land here,
 * turn their arguments into a va_list, and give it to the program's handler or print it. Unlike ODE the process then goes on;
 * STICTION_ODE_ABORT=1 in the environment brings exit and abort back.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void Handler(int number, const char *text, va_list arguments);

enum { ERROR, DEBUG, MESSAGE };
static _Atomic(Handler *) handlers[3];

void stiction_ode_set_handler(int kind, Handler *handler) { atomic_store(&handlers[kind], handler); }
Handler *stiction_ode_handler(int kind) { return atomic_load(&handlers[kind]); }

static void report(int kind, int number, const char *text, va_list arguments)
{
    static const char *const title[] = {"ODE Error", "ODE INTERNAL ERROR", "ODE Message"};
    Handler *handler = atomic_load(&handlers[kind]);
    const char *end = getenv("STICTION_ODE_ABORT");
    if (handler) handler(number, text, arguments);
    else {
        fflush(stderr);
        fflush(stdout);
        if (number) fprintf(stderr, "\n%s %d: ", title[kind], number);
        else fprintf(stderr, "\n%s: ", title[kind]);
        vfprintf(stderr, text, arguments);
        fputc('\n', stderr);
        fflush(stderr);
    }
    if (kind == MESSAGE || !end || strcmp(end, "1")) return;
    if (kind == ERROR) exit(1);
    abort();
}

#define VARIADIC(name, kind, after)                \
    void name(int number, const char *text, ...)   \
    {                                              \
        va_list arguments;                         \
        va_start(arguments, text);                 \
        report(kind, number, text, arguments);     \
        va_end(arguments);                         \
        after;                                     \
    }
VARIADIC(stiction_ode_error, ERROR, (void)0)
VARIADIC(stiction_ode_debug, DEBUG, (void)0)
VARIADIC(stiction_ode_message, MESSAGE, (void)0)
/* ODE's headers say that these do not return, so that nothing stands after a call of them. */
VARIADIC(stiction_ode_error_and_exit, ERROR, exit(1))
VARIADIC(stiction_ode_debug_and_abort, DEBUG, abort())
