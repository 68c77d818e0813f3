/* Standard output that knows why a write failed: errno is another one by the time that the command
 * has ended. */
#ifndef CLI_STANDARD_OUTPUT_H
#define CLI_STANDARD_OUTPUT_H

/* Before anything is printed. */
void standard_output_begin(void);
/* Writes what is left and closes. 0, or the errno of the first write that failed (EIO where none is
 * known). */
int standard_output_end(void);

#endif
