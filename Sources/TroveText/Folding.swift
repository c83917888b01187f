// The folding of words.

/// The marks and letters that folding leaves as they are.
struct Folding: Sendable {
    /// The marks of letters.
    var keptMarks = KeptMarks.none
    /// Whether upper case stays.
    var keepsCase = false

    /// Whether a letter's marks are all kept, and the tatweel with them.
    @inline(__always)
    var keepsAllMarks: Bool { if case .all = keptMarks { true } else { false } }

    /// Returns the scalars that a scalar becomes; nil for itself.
    @inline(__always)
    func sequence(of scalar: UInt32, _ properties: ScalarProperties) -> ScalarSequence? {
        if keepsCase {
            properties.isDecomposed ? ScalarSequence(decomposing: scalar) : nil
        } else {
            properties.isFolded ? ScalarSequence(folding: scalar) : nil
        }
    }
}
