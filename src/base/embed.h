/* Puts the bytes of a file into the library while it is compiled, in the assembler's words for the
 * object files of each system. */
#ifndef EZ_EMBED_H
#define EZ_EMBED_H

#if defined(_WIN32)
#define EZ_EMBED_SECTION ".section .rdata,\"dr\"\n"
#define EZ_EMBED_END ".text\n"
#define EZ_EMBED_NAME(symbol) ".globl " #symbol "\n" #symbol ":\n"
#elif defined(__APPLE__)
#define EZ_EMBED_SECTION ".section __TEXT,__const\n"
#define EZ_EMBED_END ".text\n"
#define EZ_EMBED_NAME(symbol) ".globl _" #symbol "\n.private_extern _" #symbol "\n_" #symbol ":\n"
#else
#define EZ_EMBED_SECTION ".pushsection .rodata\n"
#define EZ_EMBED_END ".popsection\n"
#define EZ_EMBED_NAME(symbol) ".global " #symbol "\n.hidden " #symbol "\n" #symbol ":\n"
#endif

/* NOLINTBEGIN(bugprone-macro-parentheses): the symbol is part of a declaration */
/* Declares a symbol with the bytes of a file and a NUL behind them, aligned to 64 bytes. The path
 * is a string. */
#define EZ_EMBED_FILE(symbol, path)                                                          \
    __asm__(EZ_EMBED_SECTION ".balign 64\n" EZ_EMBED_NAME(symbol) ".incbin \"" path "\"\n"   \
                                                                  ".byte 0\n" EZ_EMBED_END); \
    extern const char symbol[] __attribute__((visibility("hidden")))
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
