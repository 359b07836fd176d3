#ifndef PROGRAM_END_H
#define PROGRAM_END_H

// Flushes the output and ends the process at once, without closing anything.
_Noreturn void end_program(int status);

#endif
