// Counts the calling thread's memory allocations, where the C library lets a program stand before its own malloc.

#ifndef ALLOCATION_COUNTER_H
#define ALLOCATION_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

// Whether allocations are counted on this system.
bool allocation_counter_is_available(void);

// The number of allocations that the calling thread has made so far.
uint64_t allocation_counter_count(void);

// Gives the memory that was freed back to the system, so that what is allocated next shows.
void allocation_counter_trim(void);

#endif
