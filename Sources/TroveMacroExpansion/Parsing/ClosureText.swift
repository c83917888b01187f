// The text of a condition. It is part of a table's definition, so that it must not change when the source is formatted
// anew: spaces stand where the kinds of the tokens ask for them, wherever they stand in the source.

import SwiftSyntax

extension ClosureExprSyntax {
    /// The closure in one line, without comments.
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

    /// Whether two of these would become one without a space.
    fileprivate var isWord: Bool {
        switch tokenKind {
        case .identifier, .dollarIdentifier, .keyword, .wildcard, .integerLiteral, .floatLiteral: true
        default: false
        }
    }
}
