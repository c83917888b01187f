// The tokens of a typed query. Every string has tokens, in linear time.

/// A token of a typed query.
enum TypedToken: Hashable, Sendable {
    /// A word with its suffixes removed, or the text between quotes.
    struct Text: Hashable, Sendable {
        var text: String
        /// Whether the text was between quotes.
        var isQuoted = false
        /// Whether the text ends with `*`, or is the unfinished end of the query.
        var isPrefix = false
        /// `~` and the number after it; nil without `~`.
        var tilde: Tilde?
        /// The number after `^`.
        var boost: Double?
    }

    /// `~` after a text.
    enum Tilde: Hashable, Sendable {
        case alone
        case number(Int)
    }

    case text(Text)
    case open
    /// The end of a group, with the number after `^`.
    case close(boost: Double?)
    /// `|` or `||`.
    case or
    /// `-` before an operand.
    case minus
    /// `+` before an operand.
    case plus
    /// The name of a property and `:` before an operand.
    case field(String)
}

/// The tokens of a typed query, read from its beginning to its end.
struct TypedText {
    /// The maximum number of words that count.
    static let wordLimit = 128
    /// The maximum number of signs that count: parentheses, operators and names. So a query has bounded memory.
    static let signLimit = 10_000
    /// The greatest number after `~`.
    private static let numberLimit = 1_000_000
    static let operators: Set<Substring> = ["AND", "OR", "NOT"]

    private let scalars: String.UnicodeScalarView
    private let fields: Set<String>
    /// The size of the longest name of a field in bytes.
    private let longestField: Int
    private let lastIsPrefix: Bool
    /// The text from the position on. The position itself is not stored: after a call that moves a stored index of
    /// Unicode scalars, the optimizer of Swift 6.3.1 may use the index from before the call.
    private var rest: Substring.UnicodeScalarView
    private(set) var tokens: [TypedToken] = []
    /// The places of texts that are not words although they have letters or digits, in order: names before colons, and
    /// numbers after `~` and `^`, with these signs.
    private(set) var signRanges: [Range<String.Index>] = []
    private var signCount = 0
    /// The number of words that count.
    private(set) var wordCount = 0
    /// The number of words beyond ``wordLimit``.
    private(set) var omittedWordCount = 0

    /// Reads the tokens of a text.
    ///
    /// - Parameters:
    ///   - fields: The names that count before a colon.
    ///   - lastIsPrefix: Whether a word at the very end of the text also counts as a beginning.
    init(_ text: String, fields: Set<String>, lastIsPrefix: Bool) {
        scalars = text.unicodeScalars
        self.fields = fields
        longestField = fields.reduce(0) { max($0, $1.utf8.count) }
        self.lastIsPrefix = lastIsPrefix
        rest = scalars[...]
        while position < scalars.endIndex { readToken() }
        if omittedWordCount > 0 { removeDanglingOperators() }
    }

    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Returns whether a character is a quote, straight or typographic.
    static func isQuote(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{FF02}": true
        default: false
        }
    }

    // MARK: Tokens

    private mutating func readToken() {
        let scalar = scalars[position]
        switch scalar {
        case "(":
            advance()
            append(.open)
        case ")":
            advance()
            _ = readTilde()
            append(.close(boost: readBoost()))
        case "|":
            while position < scalars.endIndex, scalars[position] == "|" { advance() }
            append(.or)
        case "-" where isBeforeOperand:
            advance()
            append(.minus)
        case "+" where isBeforeOperand:
            advance()
            append(.plus)
        case _ where Self.isSpace(scalar): advance()
        case _ where Self.isQuote(scalar): readQuotation()
        default: readWord()
        }
    }

    private mutating func append(_ sign: TypedToken) {
        signCount += 1
        if signCount <= Self.signLimit { tokens.append(sign) }
    }

    private mutating func note(_ signs: Range<String.Index>) {
        if signRanges.count < Self.signLimit { signRanges.append(signs) }
    }

    private var position: String.Index { rest.startIndex }

    private mutating func advance() { rest.removeFirst() }

    /// Whether the next character is part of an operand.
    private var isBeforeOperand: Bool {
        let next = scalars.index(after: position)
        guard next < scalars.endIndex else { return false }
        switch scalars[next] {
        case ")", "|", "-", "+": return false
        case let scalar: return !Self.isSpace(scalar)
        }
    }

    private mutating func readQuotation() {
        advance()
        let start = position
        while position < scalars.endIndex, !Self.isQuote(scalars[position]) { advance() }
        var content = Substring(scalars[start..<position])
        let isClosed = position < scalars.endIndex
        var text = TypedToken.Text(text: "", isQuoted: true)
        if isClosed { advance() }
        let endsWithSpace = content.unicodeScalars.last.map(Self.isSpace) ?? true
        content = Self.trimmed(content)
        if content.last == "*" {
            while content.last == "*" {
                content.removeLast()
                content = Self.trimmed(content)
            }
            text.isPrefix = true
        } else if !isClosed, lastIsPrefix {
            text.isPrefix = !endsWithSpace
        }
        if isClosed {
            text.tilde = readTilde()
            text.boost = readBoost()
        }
        text.text = String(counted(content))
        if !text.text.isEmpty { tokens.append(.text(text)) }
    }

    private mutating func readWord() {
        let start = position
        while position < scalars.endIndex, !isEndOfWord(scalars[position]) {
            advance()
            if scalars[scalars.index(before: position)] == ":", let field = fieldName(from: start) {
                note(start..<position)
                if isBeforeNamedOperand {
                    append(.field(field))
                    return
                }
            }
        }
        var word = Substring(scalars[start..<position])
        var text = TypedToken.Text(text: "")
        text.boost = Self.removeNumber(after: "^", from: &word).flatMap(Self.boost)
        if let digits = Self.removeNumber(after: "~", from: &word) {
            text.tilde = digits.isEmpty ? TypedToken.Tilde.alone : Int(digits).map(TypedToken.Tilde.number)
        }
        if word.endIndex < position { note(word.endIndex..<position) }
        text.isPrefix = word.last == "*"
        while word.last == "*" { word.removeLast() }
        let isLast = lastIsPrefix && position == scalars.endIndex
        if isLast, text.tilde == nil, text.boost == nil { text.isPrefix = true }
        // Words that may be operators do not count.
        if text == TypedToken.Text(text: ""), Self.operators.contains(word) {
            if omittedWordCount == 0 { append(.text(TypedToken.Text(text: String(word)))) }
            return
        }
        text.text = String(counted(word))
        if !text.text.isEmpty { tokens.append(.text(text)) }
    }

    /// Removes the operators at the end whose operands are beyond the limit.
    private mutating func removeDanglingOperators() {
        while case .text(let text)? = tokens.last, text == TypedToken.Text(text: text.text),
            Self.operators.contains(text.text[...])
        {
            tokens.removeLast()
        }
    }

    private func isEndOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(", ")", "|": true
        default: Self.isSpace(scalar) || Self.isQuote(scalar)
        }
    }

    /// Returns the name before the colon that was read last.
    private func fieldName(from start: String.Index) -> String? {
        let end = scalars.index(before: position)
        // A word may have any number of colons.
        guard Substring(scalars[start..<end]).utf8.count <= longestField else { return nil }
        let name = String(scalars[start..<end])
        return fields.contains(name) ? name : nil
    }

    /// Whether an operand follows the colon that was read last.
    private var isBeforeNamedOperand: Bool {
        guard position < scalars.endIndex else { return false }
        switch scalars[position] {
        case ")", "|": return false
        case let next: return !Self.isSpace(next)
        }
    }

    /// Returns a text without the words beyond the limit.
    private mutating func counted(_ text: Substring) -> Substring {
        var end = text.startIndex
        var isInWord = false
        for index in text.unicodeScalars.indices {
            if Self.isSpace(text.unicodeScalars[index]) {
                isInWord = false
                continue
            }
            if !isInWord {
                isInWord = true
                if wordCount < Self.wordLimit { wordCount += 1 } else { omittedWordCount += 1 }
            }
            if omittedWordCount == 0 { end = text.unicodeScalars.index(after: index) }
        }
        return text[..<end]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let scalars = text.unicodeScalars
        guard let start = scalars.firstIndex(where: { !isSpace($0) }),
            let end = scalars.lastIndex(where: { !isSpace($0) })
        else { return "" }
        return Substring(scalars[start...end])
    }

    // MARK: Numbers

    /// Reads `^` and a number after an operand.
    private mutating func readBoost() -> Double? { readDigits(after: "^").flatMap(Self.boost) }

    /// Reads `~` and a number after an operand.
    private mutating func readTilde() -> TypedToken.Tilde? {
        readDigits(after: "~").map { digits in
            digits.isEmpty ? .alone : .number(min(Int(digits) ?? .max, Self.numberLimit))
        }
    }

    private mutating func readDigits(after sign: Unicode.Scalar) -> Substring? {
        guard position < scalars.endIndex, scalars[position] == sign else { return nil }
        let place = position
        advance()
        let start = position
        while position < scalars.endIndex, Self.isDigit(scalars[position]) { advance() }
        note(place..<position)
        return Substring(scalars[start..<position])
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar || scalar == "." }

    /// Removes a sign and the number after it from the end of a word; nil if the word does not end so.
    private static func removeNumber(after sign: Unicode.Scalar, from word: inout Substring) -> Substring? {
        let scalars = word.unicodeScalars
        guard let place = scalars.lastIndex(where: { !isDigit($0) }), scalars[place] == sign, place > word.startIndex
        else { return nil }
        defer { word = word[..<place] }
        return word[scalars.index(after: place)...]
    }

    /// Returns a boost from its digits; nil unless it is between 0 and 1,000.
    private static func boost(_ digits: Substring) -> Double? {
        Double(digits).flatMap { $0.isFinite && (0...TextClause.greatestBoost).contains($0) ? $0 : nil }
    }
}
