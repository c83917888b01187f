// The properties of a scalar in the tables of `CUnicodeData`.

import CUnicodeData

/// What a scalar is in a word. `scripts/update-unicode` derives the classes from Unicode's word break property, and
/// numbers them in this order.
enum ScalarClass: UInt8 {
    /// Spaces, punctuation, most symbols, control characters, private use: ends a word.
    case separator
    /// Invisible between letters: soft hyphens, direction marks.
    case format
    /// A mark without a meaning for the search: variation selectors, skin tones, the zero width non-joiner.
    case ignoredMark
    /// A combining mark.
    case mark
    /// A letter or a digit, which joins others.
    case letter
    /// The Arabic tatweel, which only widens a word.
    case tatweel
    /// A Katakana letter, which joins others.
    case katakana
    /// A letter of a script without spaces between words: ideographs, Hiragana, Thai, Lao, Khmer, Myanmar.
    case sign
    /// A number that is a word alone, such as the Ethiopic digits.
    case single
    /// A pictograph: an emoji, or a symbol that may become one.
    case pictograph
    /// Half of a flag.
    case regional
    /// The zero width joiner, which joins pictographs.
    case joiner
    /// A tag, which makes a flag of a region from a black flag.
    case tag
    /// A scalar that this version of Unicode does not know: a word alone.
    case unassigned
}

/// The class of a scalar, and how it folds.
struct ScalarProperties {
    private let bits: UInt16

    @inline(__always)
    init(of scalar: UInt32) { bits = trove_unicode_properties(scalar) }

    @inline(__always)
    var scalarClass: ScalarClass { ScalarClass(rawValue: UInt8(truncatingIfNeeded: bits & 0xF)) ?? .separator }

    /// Whether marks that follow it are removed: of Latin, Greek, Cyrillic, Hebrew, Arabic, ASCII digits, pictographs.
    @inline(__always)
    var losesMarks: Bool { bits & 0x10 != 0 }

    /// Whether `ScalarSequence(folding:)` is another sequence than the scalar.
    @inline(__always)
    var isFolded: Bool { bits & 0x20 != 0 }

    /// Whether `ScalarSequence(decomposing:)` is another sequence than the scalar.
    @inline(__always)
    var isDecomposed: Bool { bits & 0x40 != 0 }

    /// Whether `ScalarSequence(caseFolding:)` is another sequence than the scalar.
    @inline(__always)
    var hasOtherCase: Bool { bits & 0x80 != 0 }

    /// The canonical combining class.
    @inline(__always)
    var combiningClass: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
}

/// The scalars that a scalar becomes.
struct ScalarSequence {
    private let place: UInt16
    let count: UInt32

    private init(place: UInt16) {
        self.place = place
        count = trove_unicode_count(place)
    }

    /// The compatibility decomposition with full case folding, and ASCII digits for those of other scripts. Hangul
    /// syllables stay whole.
    init(folding scalar: UInt32) { self.init(place: trove_unicode_fold(scalar)) }

    /// The same without case folding.
    init(decomposing scalar: UInt32) { self.init(place: trove_unicode_decomposition(scalar)) }

    /// The full case folding alone.
    init(caseFolding scalar: UInt32) { self.init(place: trove_unicode_case(scalar)) }

    subscript(_ index: UInt32) -> UInt32 { trove_unicode_scalar(place, index) }
}
