// The properties of Unicode's scalars that the analyzers of TroveText need. The functions accept any number; outside of
// the tables it is a separator without mappings. They pass no pointers, so that Swift calls them safely.
//
// A table has two stages: the blocks of 128 scalars, each stored once, and the number of each block.

#ifndef TROVE_CUNICODEDATA_H
#define TROVE_CUNICODEDATA_H

#include <stddef.h>
#include <stdint.h>

extern const uint16_t trove_properties_blocks[], trove_properties[];
extern const uint16_t trove_folds_blocks[], trove_folds[];
extern const uint16_t trove_decompositions_blocks[], trove_decompositions[];
extern const uint16_t trove_cases_blocks[], trove_cases[];
extern const uint32_t trove_sequences[];
extern const uint32_t trove_composition_firsts[], trove_composition_seconds[], trove_composition_results[];
extern const size_t trove_composition_count;

static inline uint16_t trove_look_up(const uint16_t *_Nonnull blocks, const uint16_t *_Nonnull table, uint32_t scalar) {
    if (scalar > 0x10FFFF) { return 0; }
    return table[((uint32_t)blocks[scalar >> 7] << 7) | (scalar & 127)];
}

// The class in bits 0 to 3; whether marks after it are removed (4); whether it has a mapping in `folds` (5),
// `decompositions` (6) and `cases` (7); the canonical combining class in bits 8 to 15.
static inline uint16_t trove_unicode_properties(uint32_t scalar) {
    return trove_look_up(trove_properties_blocks, trove_properties, scalar);
}

// The place of a scalar's compatibility decomposition with case folding and ASCII digits; 0 for none.
static inline uint16_t trove_unicode_fold(uint32_t scalar) {
    return trove_look_up(trove_folds_blocks, trove_folds, scalar);
}

// The place of a scalar's compatibility decomposition with ASCII digits; 0 for none.
static inline uint16_t trove_unicode_decomposition(uint32_t scalar) {
    return trove_look_up(trove_decompositions_blocks, trove_decompositions, scalar);
}

// The place of a scalar's full case folding; 0 for none.
static inline uint16_t trove_unicode_case(uint32_t scalar) {
    return trove_look_up(trove_cases_blocks, trove_cases, scalar);
}

// The number of scalars of the sequence at a place.
static inline uint32_t trove_unicode_count(uint16_t place) { return trove_sequences[place] >> 21; }

// A scalar of the sequence at a place; 0 outside of the sequence.
static inline uint32_t trove_unicode_scalar(uint16_t place, uint32_t index) {
    return index < trove_unicode_count(place) ? trove_sequences[place + index] & 0x1FFFFF : 0;
}

// The canonical composition of two scalars, except of Hangul; 0 for none.
static inline uint32_t trove_unicode_composition(uint32_t first, uint32_t second) {
    size_t low = 0, high = trove_composition_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        uint32_t a = trove_composition_firsts[middle], b = trove_composition_seconds[middle];
        if (a == first && b == second) { return trove_composition_results[middle]; }
        if (a < first || (a == first && b < second)) { low = middle + 1; } else { high = middle; }
    }
    return 0;
}

#endif
