// A text query as a tree of clauses, independent of the type of the records.

/// A clause of a text query, before an analyzer makes words of its text.
indirect enum TextClause: Hashable, Sendable {
    /// The clause that finds nothing, such as an empty query.
    case nothing
    /// The clause that finds every record of the index.
    case everything
    /// The words of a text, in order and without others in between. A text of a single word is that word.
    case phrase(String, slop: Int = 0, atStart: Bool = false)
    /// The words of a text in any order, with at most so many other words in between.
    case near(String, within: Int)
    /// The words of a text, the last of which may go on: the beginning of a phrase.
    case prefix(String)
    /// The words within some edits of a word. Nil edits depend on the length of the word.
    case fuzzy(String, edits: Int?, anyFirstLetter: Bool = false)
    /// The conjunction of several clauses.
    case all([TextClause])
    /// The disjunction of several clauses.
    case any([TextClause])
    /// A clause without the matches of another clause.
    case excluding(TextClause, TextClause)
    /// A clause, with a higher score for the matches of another clause.
    case preferring(TextClause, TextClause)
    /// A clause in some properties, by their stored names.
    case within([String], TextClause)
    /// A clause whose score is multiplied.
    case boosted(TextClause, Double)
}

extension TextClause {
    /// Returns the conjunction of clauses. A single clause is returned as it is.
    static func joining(all clauses: [TextClause]) -> TextClause {
        clauses.isEmpty ? .nothing : clauses.count == 1 ? clauses[0] : .all(clauses)
    }

    /// Returns the disjunction of clauses. A single clause is returned as it is.
    static func joining(any clauses: [TextClause]) -> TextClause {
        clauses.isEmpty ? .nothing : clauses.count == 1 ? clauses[0] : .any(clauses)
    }
}

extension TextClause {
    /// The greatest weight of a clause.
    static let greatestBoost = 1_000.0

    /// Returns the clause with its scores multiplied.
    ///
    /// - Parameter factor: A number from 0 to ``greatestBoost``; others are moved to the nearest bound, and NaN to 1.
    func boosted(by factor: Double) -> TextClause {
        let factor = factor.isNaN ? 1 : min(max(factor, 0), Self.greatestBoost)
        guard case .boosted(let clause, let known) = self else { return .boosted(self, factor) }
        return .boosted(clause, min(known * factor, Self.greatestBoost))
    }
}

// MARK: As typed text

extension TextClause: CustomStringConvertible {
    /// The clause in the language of typed queries, as far as that language has its parts.
    var description: String {
        switch self {
        case .nothing: "nothing"
        case .everything: "everything"
        case .phrase(let text, let slop, let atStart):
            // A number after a word without quotes is a number of edits.
            (atStart ? "at start " : "") + Self.quoted(text, isPhrase: slop > 0) + (slop > 0 ? "~\(slop)" : "")
        case .near(let text, let words): "near(\(Self.quoted(text, isPhrase: true)), \(words))"
        case .prefix(let text): Self.quoted(text, suffix: "*")
        case .fuzzy(let word, let edits, let anyFirstLetter):
            word + "~" + (edits.map(String.init) ?? "") + (anyFirstLetter ? " from any letter" : "")
        case .all(let clauses): clauses.map(\.operand).joined(separator: " ")
        case .any(let clauses): clauses.map(\.operand).joined(separator: " OR ")
        case .excluding(.everything, let other): "-\(other.operand)"
        case .excluding(let clause, let other): "\(clause.operand) -\(other.operand)"
        case .preferring(let clause, let other): "\(clause.operand) preferring \(other.operand)"
        case .within(let names, let clause): "\(names.joined(separator: ",")):\(clause.operand)"
        case .boosted(let clause, let factor): "\(clause.operand)^\(factor)"
        }
    }

    /// The clause in a plan, with its words joined by words.
    var plan: String {
        switch self {
        case .all(let clauses): clauses.map(\.planOperand).joined(separator: " and ")
        case .any(let clauses): clauses.map(\.planOperand).joined(separator: " or ")
        case .excluding(.everything, let other): "not \(other.planOperand)"
        case .excluding(let clause, let other): "\(clause.planOperand) and not \(other.planOperand)"
        case .preferring(let clause, let other): "\(clause.planOperand) preferring \(other.planOperand)"
        case .within(let names, let clause): "\(names.joined(separator: ",")):\(clause.planOperand)"
        case .boosted(let clause, let factor): "\(clause.planOperand)^\(factor)"
        case .nothing, .everything, .phrase, .near, .prefix, .fuzzy: description
        }
    }

    private var planOperand: String {
        switch self {
        case .all, .any, .excluding, .preferring, .within: "(\(plan))"
        case .boosted, .nothing, .everything, .phrase, .near, .prefix, .fuzzy: plan
        }
    }

    /// The clause as a part of a larger clause.
    private var operand: String {
        switch self {
        case .all, .any, .excluding, .preferring, .within: "(\(self))"
        case .boosted, .nothing, .everything, .phrase, .near, .prefix, .fuzzy: description
        }
    }

    private static func quoted(_ text: String, isPhrase: Bool = false, suffix: String = "") -> String {
        let isWord = !isPhrase && !text.isEmpty && text.unicodeScalars.allSatisfy(\.isPlain)
        let isOperator = text == "OR" || text == "AND" || text == "NOT"
        return isWord && !isOperator ? text + suffix : "\"\(text)\(suffix)\""
    }
}

extension Unicode.Scalar {
    /// Whether the typed language gives the character no meaning.
    fileprivate var isPlain: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: value >= 0x80 && !TypedText.isSpace(self) && !TypedText.isQuote(self)
        }
    }
}
