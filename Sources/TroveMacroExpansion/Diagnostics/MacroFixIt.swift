// Fix-its, each with a message and a function for the change.

import SwiftDiagnostics
import SwiftSyntax

/// The message of a fix-it.
struct MacroFixIt: FixItMessage, Equatable {
    var message: String
    var fixItID: MessageID

    private init(_ id: String, _ message: String) {
        self.message = message
        fixItID = MessageID(domain: "TroveMacros", id: id)
    }

    static func change(_ old: String, to new: String) -> Self { Self("change", "change '\(old)' to '\(new)'") }

    static func remove(_ text: String) -> Self { Self("remove", "remove '\(text)'") }

    static func insert(_ text: String) -> Self { Self("insert", "insert '\(text)'") }

    static func merge(into text: String) -> Self { Self("merge", "write '\(text)'") }

    static func split(into text: String) -> Self { Self("split", "write '\(text)'") }

    static let declareConformance = Self("declareConformance", "declare ': RecordValue' instead of the macro")
}

extension FixIt {
    /// Replaces a node, and keeps the trivia around it.
    static func replace(
        _ node: some SyntaxProtocol, with replacement: some SyntaxProtocol, _ message: MacroFixIt
    ) -> FixIt {
        var new = Syntax(replacement)
        new.leadingTrivia = node.leadingTrivia
        new.trailingTrivia = node.trailingTrivia
        return FixIt(message: message, changes: [.replace(oldNode: Syntax(node), newNode: new)])
    }

    /// Replaces a token by a keyword: `class` by `struct`.
    static func change(_ token: TokenSyntax, to keyword: Keyword) -> FixIt {
        let new = TokenSyntax.keyword(keyword)
        return .replace(token, with: new, .change(token.text, to: new.text))
    }
}

extension [FixIt] {
    /// Returns a fix-it to turn a class or an actor into a struct; nothing for other kinds: their intention is unknown.
    static func makeStruct(_ declaration: some DeclGroupSyntax) -> [FixIt] {
        let introducer = declaration.introducer
        guard [.keyword(.class), .keyword(.actor)].contains(introducer.tokenKind) else { return [] }
        var changes: [FixIt.Change] = [
            .replace(oldNode: Syntax(introducer), newNode: Syntax(TokenSyntax.keyword(.struct, like: introducer)))
        ]
        let modifiers = declaration.modifiers
        if let final = modifiers.first(where: { $0.name.tokenKind == .keyword(.final) }) {
            changes.append(
                .replace(oldNode: Syntax(modifiers), newNode: Syntax(modifiers.filter { $0.id != final.id })))
        }
        return [FixIt(message: MacroFixIt.change(introducer.text, to: "struct"), changes: changes)]
    }
}

extension TokenSyntax {
    /// Returns a keyword with the trivia of another token.
    fileprivate static func keyword(_ keyword: Keyword, like token: TokenSyntax) -> TokenSyntax {
        .keyword(keyword, leadingTrivia: token.leadingTrivia, trailingTrivia: token.trailingTrivia)
    }
}
