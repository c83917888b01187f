// The folded form of a word, scalar by scalar: marks are removed or put in order, then composed (NFKC).

import CUnicodeData

/// The UTF-8 of a term. The scalars that it receives are decomposed already, except Hangul syllables.
///
/// A *cluster* is a base with its marks. It is held back until the next base, since marks compose with their base.
struct TermBuilder {
    /// The term, without the cluster that is held back.
    private(set) var bytes: [UInt8] = []
    private let keptMarks: KeptMarks
    private var base: UInt32?
    private var baseLosesMarks = false
    private var marks: [Mark] = []

    /// A mark of a cluster.
    struct Mark {
        var scalar: UInt32
        var combiningClass: UInt8
    }

    init(keeping marks: KeptMarks) { keptMarks = marks }

    /// Removes everything.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        base = nil
        marks.removeAll(keepingCapacity: true)
    }

    /// Removes the first bytes.
    mutating func removeFirst(_ count: Int) { bytes.removeFirst(count) }

    /// Appends ASCII bytes in lower case. No cluster may be held back.
    @inline(__always)
    mutating func append(lowercasing text: RawSpan, _ range: Range<Int>) {
        for offset in range {
            let byte = text.byte(at: offset)
            bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
        }
    }

    /// Appends a scalar that is not a mark.
    @inline(__always)
    mutating func append(_ scalar: UInt32, losesMarks: Bool) {
        if let base {
            if marks.isEmpty, let syllable = Hangul.compose(base, scalar) {
                self.base = syllable
                return
            }
            finish()
        }
        base = scalar
        baseLosesMarks = losesMarks
    }

    /// Appends a mark to the cluster. A mark without a base is left out.
    mutating func append(mark scalar: UInt32, combiningClass: UInt8) {
        if baseLosesMarks, case .none = keptMarks { return }
        guard base != nil else { return }
        marks.append(Mark(scalar: scalar, combiningClass: combiningClass))
    }

    /// Moves the cluster that is held back to the bytes.
    mutating func finish() {
        guard let base else { return }
        if marks.isEmpty {
            bytes.append(scalar: base)
        } else {
            finish(base)
        }
        self.base = nil
    }

    private mutating func finish(_ base: UInt32) {
        if baseLosesMarks, case .letters(let letters) = keptMarks { marks = letters.marks(of: base, among: marks) }
        CanonicalOrder.sort(&marks)
        compose(base)
        marks.removeAll(keepingCapacity: true)
    }

    /// Appends the canonical composition of the base and the sorted marks.
    private mutating func compose(_ base: UInt32) {
        var starter = base
        // The marks that stay behind the starter are kept at the front of the array.
        var waiting = 0
        for index in marks.indices {
            let mark = marks[index]
            let isBlocked = waiting > 0 && marks[waiting - 1].combiningClass >= mark.combiningClass
            let composite = isBlocked ? 0 : trove_unicode_composition(starter, mark.scalar)
            if composite != 0 {
                starter = composite
            } else if mark.combiningClass == 0 {
                append(starter, andFirst: waiting)
                waiting = 0
                starter = mark.scalar
            } else {
                marks[waiting] = mark
                waiting += 1
            }
        }
        append(starter, andFirst: waiting)
    }

    private mutating func append(_ starter: UInt32, andFirst count: Int) {
        bytes.append(scalar: starter)
        for mark in marks[..<count] { bytes.append(scalar: mark.scalar) }
    }
}
