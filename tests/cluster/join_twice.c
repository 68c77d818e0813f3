/* A program that opens its group twice and uses one after the other is closed. With an argument it
 * initialises MPI itself, and must finalise it itself. Prints the number of ranks. */
#include "ezlda.h"

#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    ezlda_context *context;
    ezlda_group *one, *two;
    int ended = 0;
    (void)argv;
    if (argc > 1)
        MPI_Init(NULL, NULL);
    if (ezlda_context_create(&context) != EZLDA_OK ||
        ezlda_group_open(&one, context, NULL) != EZLDA_OK ||
        ezlda_group_open(&two, context, NULL) != EZLDA_OK) {
        fprintf(stderr, "%s\n", ezlda_error_message(context));
        return 1;
    }
    ezlda_group_close(one);
    if (ezlda_group_rank(two) == 0)
        printf("%d\n", ezlda_group_ranks(two));
    ezlda_group_close(two);
    MPI_Finalized(&ended);
    if (ended == (argc > 1))
        return 2;
    if (argc > 1)
        MPI_Finalize();
    else if (ezlda_group_open(&one, context, NULL) == EZLDA_OK)
        return 3;
    else
        printf("%s\n", ezlda_error_message(context));
    ezlda_context_free(context);
    return 0;
}
