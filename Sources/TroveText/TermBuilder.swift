// The folded form of a word, scalar by scalar: marks are removed or put in order, then composed (NFKC).

import CUnicodeData

/// The UTF-8 of a term. The scalars that it receives are decomposed already, except Hangul syllables.
///
/// A *cluster* is a base with its marks. It is held back until the next base, since marks compose with their base.
struct TermBuilder {
    /// The term, without the cluster that is held back.
    private(set) var bytes: [UInt8] = []
    private let keptMarks: KeptMarks
    private let keepsAllMarks: Bool
    private var base: UInt32?
    private var baseLosesMarks = false
    private var marks: [Mark] = []

    /// A cluster of more marks is put in order in parts, so that memory stays bounded. No language has so many.
    private static let greatestCluster = 1_000

    /// A mark of a cluster.
    struct Mark {
        var scalar: UInt32
        var combiningClass: UInt8
    }

    init(keeping marks: KeptMarks) {
        keptMarks = marks
        keepsAllMarks = if case .all = marks { true } else { false }
    }

    /// Whether nothing has been appended.
    var isEmpty: Bool { bytes.isEmpty && base == nil && marks.isEmpty }

    /// Removes everything.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        base = nil
        baseLosesMarks = false
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
        if let base, marks.isEmpty, let syllable = Hangul.compose(base, scalar) {
            self.base = syllable
            return
        }
        finish()
        base = scalar
        baseLosesMarks = losesMarks && !keepsAllMarks
    }

    /// Begins a cluster with a base that is left out, and its marks with it.
    mutating func appendNothing() {
        finish()
        baseLosesMarks = true
    }

    /// Appends a mark to the cluster. A term may begin with marks, which have no base.
    mutating func append(mark scalar: UInt32, combiningClass: UInt8) {
        if baseLosesMarks, case .none = keptMarks { return }
        guard base != nil || !baseLosesMarks else { return }
        if marks.count == Self.greatestCluster { finish() }
        marks.append(Mark(scalar: scalar, combiningClass: combiningClass))
    }

    /// Moves the cluster that is held back to the bytes.
    mutating func finish() {
        if !marks.isEmpty {
            finishMarks()
        } else if let base {
            bytes.append(scalar: base)
        }
        base = nil
    }

    private mutating func finishMarks() {
        if baseLosesMarks, case .letters(let letters) = keptMarks, let base {
            marks = letters.marks(of: base, among: marks)
        }
        CanonicalOrder.sort(&marks)
        compose()
        marks.removeAll(keepingCapacity: true)
    }

    /// Appends the canonical composition of the base and the sorted marks.
    private mutating func compose() {
        var starter = base
        // The marks that stay after the starter are kept at the front of the array.
        var waiting = 0
        for index in marks.indices {
            let mark = marks[index]
            let isBlocked = waiting > 0 && marks[waiting - 1].combiningClass >= mark.combiningClass
            if !isBlocked, let base = starter, let composite = Self.composition(base, mark.scalar) {
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

    private static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
        let composite = trove_unicode_composition(first, second)
        return composite == 0 ? nil : composite
    }

    private mutating func append(_ starter: UInt32?, andFirst count: Int) {
        if let starter { bytes.append(scalar: starter) }
        for mark in marks[..<count] { bytes.append(scalar: mark.scalar) }
    }
}
