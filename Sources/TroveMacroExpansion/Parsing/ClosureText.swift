// The text of a condition. It is a part of an index's definition, so formatting the source must not change it. Spaces
// depend only on the kinds of the tokens.

import SwiftSyntax

extension ClosureExprSyntax {
    /// The closure on a single line, without comments.
    var lineSpelling: String {
        var text = ""
        var previous: TokenSyntax?
        for token in tokens(viewMode: .sourceAccurate) {
            if let previous, Self.isSpaced(previous, token) { text += " " }
            text += token.text
            previous = token
        }
        return text
    }

    private static func isSpaced(_ left: TokenSyntax, _ right: TokenSyntax) -> Bool {
        left.isSpaced || right.isSpaced || left.isWord && right.isWord || left.tokenKind == .comma
            || left.tokenKind == .colon || left.tokenKind == .semicolon
    }
}

extension TokenSyntax {
    /// Whether there is a space on both sides.
    fileprivate var isSpaced: Bool {
        switch tokenKind {
        case .leftBrace, .rightBrace, .binaryOperator, .arrow, .equal, .infixQuestionMark: true
        default: false
        }
    }

    /// Whether the token merges with another word if there is no space between them.
    fileprivate var isWord: Bool {
        switch tokenKind {
        case .identifier, .dollarIdentifier, .keyword, .wildcard, .integerLiteral, .floatLiteral: true
        default: false
        }
    }
}
