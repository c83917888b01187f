// The term of the analyzer `whole/1`: a value that is a single word, such as a name or a tag.

/// A text folded as a whole. Spaces, punctuation and symbols stay; marks, letters and digits are folded as those of
/// words. Invisible scalars are left out.
struct WholeText {
    private let folding: Folding
    private let isWord: Bool
    private var term: TermBuilder

    /// - Parameter isWord: Whether the text is a word that was split with all of its marks.
    init(_ folding: Folding, isWord: Bool = false) {
        self.folding = folding
        self.isWord = isWord
        term = TermBuilder(keeping: folding.keptMarks)
    }

    /// Visits the term; nothing, if it is empty.
    mutating func visit(_ text: RawSpan, _ body: TokenVisitor) rethrows {
        var offset = 0
        while offset < text.byteCount {
            let (scalar, size) = text.scalar(at: offset)
            offset += size
            let properties = ScalarProperties(of: scalar)
            guard let sequence = folding.sequence(of: scalar, properties) else {
                take(scalar, properties)
                continue
            }
            for index in 0..<sequence.count {
                take(sequence[index], ScalarProperties(of: sequence[index]))
            }
        }
        term.finish()
        guard !term.bytes.isEmpty else { return }
        let place = TokenPlace(position: 0, range: 0..<text.byteCount)
        try term.bytes.withRawSpan(of: 0..<term.bytes.count) { try body($0, place) }
    }

    private mutating func take(_ scalar: UInt32, _ properties: ScalarProperties) {
        switch properties.scalarClass {
        case .mark: term.append(mark: scalar, combiningClass: properties.combiningClass)
        case .tatweel where !folding.keepsAllMarks: term.appendNothing()
        case .ignoredMark, .format: break
        // After tatweels alone, which are no word that a pictograph could join.
        case .joiner where isWord && term.isEmpty: break
        case .pictograph, .regional, .tag: term.append(scalar, losesMarks: isWord || properties.losesMarks)
        default: term.append(scalar, losesMarks: properties.losesMarks)
        }
    }
}
