// The clauses of a typed query: groups, operators, and words beside each other.
//
//     query     = sequence { OR sequence }
//     sequence  = operand { operand }          joined as the query says
//     operand   = chain { AND chain }
//     chain     = [ - | NOT | + ] [ field: ] ( text | "(" query ")" )
//
// A group deeper than 32, and a parenthesis without its counterpart, are ignored. AND, OR and NOT are words where they
// cannot be operators.

/// A typed query: the clause of any text. Reading takes linear time, and never fails.
struct TypedQuery {
    private(set) var clause: TextClause = .nothing
    /// The number of words left out, beyond the first 128.
    private(set) var omittedWordCount = 0

    private static let depthLimit = 32

    private let tokens: [TypedToken]
    private let joining: WordJoining
    private var position = 0

    /// Reads a typed query.
    ///
    /// - Parameters:
    ///   - text: Any text.
    ///   - fields: The stored names of the properties that can be named before a colon.
    ///   - joining: The meaning of words beside each other.
    ///   - lastIsPrefix: Whether a word at the very end of the text also counts as a beginning.
    init(_ text: String, fields: Set<String> = [], joining: WordJoining = .all, lastIsPrefix: Bool = false) {
        let typed = TypedText(text, fields: fields, lastIsPrefix: lastIsPrefix)
        tokens = Self.balanced(typed.tokens)
        self.joining = joining
        omittedWordCount = typed.omittedWordCount
        clause = readAlternatives() ?? .nothing
    }

    /// Reads a typed query for one of some indexes. A name before a colon counts if an index has all named properties;
    /// if none has all of them, the names of the first index count. So typed text fits an index.
    ///
    /// - Parameter indexes: The stored names of the properties of each index, the names of the usual index first.
    init(
        _ text: String, forOneOf indexes: [Set<String>], joining: WordJoining = .all, lastIsPrefix: Bool = false
    ) {
        let names = text.utf8.contains(UInt8(ascii: ":")) ? indexes.reduce(into: Set()) { $0.formUnion($1) } : []
        self.init(text, fields: names, joining: joining, lastIsPrefix: lastIsPrefix)
        guard !names.isEmpty, let usual = indexes.first, !indexes.contains(where: clause.properties.isSubset) else {
            return
        }
        self.init(text, fields: usual, joining: joining, lastIsPrefix: lastIsPrefix)
    }

    /// Returns tokens without the parentheses to ignore.
    private static func balanced(_ tokens: [TypedToken]) -> [TypedToken] {
        var isKept = Array(repeating: true, count: tokens.count)
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            switch token {
            case .open: open.append(index)
            case .close:
                guard let start = open.popLast() else {
                    isKept[index] = false
                    continue
                }
                guard open.count >= depthLimit else { continue }
                isKept[start] = false
                isKept[index] = false
            default: break
            }
        }
        for index in open { isKept[index] = false }
        return zip(tokens, isKept).lazy.filter(\.1).map(\.0)
    }

    // MARK: Operators

    private enum Operator: String {
        case and = "AND"
        case or = "OR"
        case not = "NOT"
    }

    /// Returns the operator at a position, if it is spelled there: as a word in capitals, or as `|`.
    private func spelled(at position: Int) -> Operator? {
        guard position < tokens.count else { return nil }
        switch tokens[position] {
        case .or: return .or
        case .text(let text) where text == TypedToken.Text(text: text.text): return Operator(rawValue: text.text)
        default: return nil
        }
    }

    /// Returns whether an operand begins at a position.
    private func beginsOperand(at position: Int) -> Bool {
        guard position < tokens.count else { return false }
        switch tokens[position] {
        case .text, .open, .minus, .plus, .field: return true
        case .close, .or: return false
        }
    }

    /// Skips an operator between two operands.
    private mutating func skip(_ wanted: Operator) -> Bool {
        guard spelled(at: position) == wanted, beginsOperand(at: position + 1) else { return false }
        position += 1
        return true
    }

    // MARK: Grammar

    private mutating func readAlternatives() -> TextClause? {
        var clauses: [TextClause] = []
        while position < tokens.count {
            if case .close = tokens[position] { break }
            // `|` without an operand before or after it.
            if case .or = tokens[position] {
                position += 1
                continue
            }
            if let sequence = readSequence() { clauses.append(sequence) }
            _ = skip(.or)
        }
        return clauses.isEmpty ? nil : .joining(any: clauses)
    }

    /// The operands beside each other, by their signs.
    private struct Sequence {
        var plain: [TextClause] = []
        var required: [TextClause] = []
        var excluded: [TextClause] = []

        func clause(_ joining: WordJoining) -> TextClause? {
            guard let wanted = wanted(joining) else { return nil }
            return excluded.isEmpty ? wanted : .excluding(wanted, .joining(any: excluded))
        }

        private func wanted(_ joining: WordJoining) -> TextClause? {
            switch joining {
            case _ where plain.isEmpty && required.isEmpty: return excluded.isEmpty ? nil : .everything
            case .all: return .joining(all: plain)
            case .any where required.isEmpty: return .joining(any: plain)
            case .any where plain.isEmpty: return .joining(all: required)
            case .any: return .preferring(.joining(all: required), .joining(any: plain))
            }
        }
    }

    private mutating func readSequence() -> TextClause? {
        var sequence = Sequence()
        var isFirst = true
        while beginsOperand(at: position) {
            if !isFirst, spelled(at: position) == .or, beginsOperand(at: position + 1) { break }
            isFirst = false
            readOperand(into: &sequence)
        }
        return sequence.clause(joining)
    }

    private mutating func readOperand(into sequence: inout Sequence) {
        var chain: [TextClause] = []
        var excluded: [TextClause] = []
        var isRequired = false
        repeat {
            let sign = readSign()
            guard let clause = readPrimary() else { continue }
            switch sign {
            case .minus: excluded.append(clause)
            case .plus:
                isRequired = true
                chain.append(clause)
            case nil: chain.append(clause)
            }
        } while skip(.and)
        sequence.excluded += excluded
        guard !chain.isEmpty else { return }
        // With `.all`, every operand is required, in the order of the text.
        if joining == .all {
            sequence.plain += chain
        } else if isRequired {
            sequence.required.append(.joining(all: chain))
        } else {
            sequence.plain.append(.joining(all: chain))
        }
    }

    private enum Sign {
        case minus
        case plus
    }

    /// Reads the signs before an operand. Of several, the first counts.
    private mutating func readSign() -> Sign? {
        var sign: Sign?
        while position < tokens.count {
            switch tokens[position] {
            case .minus: sign = sign ?? .minus
            case .plus: sign = sign ?? .plus
            default:
                guard skip(.not) else { return sign }
                sign = sign ?? .minus
                continue
            }
            position += 1
        }
        return sign
    }

    private mutating func readPrimary() -> TextClause? {
        var name: String?
        while position < tokens.count {
            let token = tokens[position]
            switch token {
            case .field(let field): name = field
            // A sign after a name.
            case .minus, .plus: break
            case .text(let text):
                position += 1
                return Self.within(name, Self.clause(of: text))
            case .open:
                position += 1
                return readGroup().map { Self.within(name, $0) }
            case .or, .close: return nil
            }
            position += 1
        }
        return nil
    }

    private mutating func readGroup() -> TextClause? {
        let clause = readAlternatives()
        guard position < tokens.count, case .close(let boost) = tokens[position] else { return clause }
        position += 1
        return clause.map { Self.boosted($0, boost) }
    }

    private static func within(_ name: String?, _ clause: TextClause) -> TextClause {
        name.map { .within([$0], clause) } ?? clause
    }

    // MARK: Texts

    private static func clause(of text: TypedToken.Text) -> TextClause {
        boosted(unboosted(text), text.boost)
    }

    private static func unboosted(_ text: TypedToken.Text) -> TextClause {
        if text.isPrefix { return .prefix(text.text) }
        switch text.tilde {
        case .alone? where !text.isQuoted: return .fuzzy(text.text, edits: nil)
        case .number(let slop)? where text.isQuoted: return .phrase(text.text, slop: slop)
        // No edits: the word as it is written.
        case .number(let edits)? where 1...FuzzyPattern.greatestEdits ~= edits:
            return .fuzzy(text.text, edits: edits)
        case .alone?, .number?, nil: return .phrase(text.text)
        }
    }

    private static func boosted(_ clause: TextClause, _ factor: Double?) -> TextClause {
        factor.map { clause.boosted(by: $0) } ?? clause
    }
}
