// Counts the calling thread's memory allocations, if the C library lets a program replace malloc.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Returns whether allocations are counted on this system.
bool allocation_counter_is_available(void);

// Returns the number of allocations of the calling thread so far.
uint64_t allocation_counter_count(void);

// Returns freed memory to the system, to make later allocations visible.
void allocation_counter_trim(void);

#endif
