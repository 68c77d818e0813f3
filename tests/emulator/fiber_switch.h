/* Switches from one stack to another: the fibers of CUDA threads. */
#ifndef FIBER_SWITCH_H
#define FIBER_SWITCH_H

#include <stdint.h>

/* Saves the callee-saved registers on this stack and its end in *from, then continues where the stack `to` was left. */
extern "C" void fiber_switch(void **from, void *to);

#if defined(__x86_64__)
__asm__(".text\n.p2align 4\n.globl fiber_switch\n.hidden fiber_switch\n.type fiber_switch, @function\nfiber_switch:\n"
        "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\n"
        "pop %rcx\njmp *%rcx\n" /* better predicted than a return */
        ".size fiber_switch, . - fiber_switch\n");

/* Prepares a stack that begins with a call of `start`, which must not return. */
inline void *fiber_stack(unsigned char *end, void (*start)())
{
    void **top = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(end) & ~uintptr_t(15));
    *--top = nullptr; /* as if called: the stack is then off by a return address */
    *--top = reinterpret_cast<void *>(start);
    for (int i = 0; i < 6; i++)
        *--top = nullptr;
    return top;
}
#elif defined(__aarch64__)
__asm__(".text\n.p2align 4\n.globl fiber_switch\n.hidden fiber_switch\n.type fiber_switch, %function\nfiber_switch:\n"
        "sub sp, sp, #160\n"
        "stp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\nstp x25, x26, [sp, #48]\n"
        "stp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
        "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\nstp d14, d15, [sp, #144]\n"
        "mov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
        "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
        "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
        "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\nldp d14, d15, [sp, #144]\n"
        "add sp, sp, #160\nret\n"
        ".size fiber_switch, . - fiber_switch\n");

inline void *fiber_stack(unsigned char *end, void (*start)())
{
    void **top = reinterpret_cast<void **>(reinterpret_cast<uintptr_t>(end) & ~uintptr_t(15)) - 20;
    for (int i = 0; i < 20; i++)
        top[i] = nullptr;
    top[11] = reinterpret_cast<void *>(start);
    return top;
}
#else
#error "fibers are written for x86-64 and 64-bit ARM"
#endif

#endif
