/*
 * Messages without handlers, as they go to the error output.
 */
#include <ode/ode.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    dup2(1, 2);
    printf("before\n");
    if (count != 2) return 2;
    if (!strcmp(arguments[1], "message")) {
        dMessage(0, "no number, %d", 1);
        printf("between\n");
        dMessage(5, "number five, %s\n", "text");
    }
    else if (!strcmp(arguments[1], "error")) dError(3, "%g", 0.5);
    else dError(0, "no number");
    printf("after\n");
    return 0;
}
