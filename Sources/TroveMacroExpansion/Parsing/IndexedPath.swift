// A key path in the arguments of an index's macro.

import SwiftSyntax

/// A literal key path of a record, such as `\.lastName.desc`.
struct IndexedPath {
    let syntax: KeyPathExprSyntax
    /// The components after the type.
    private var components: ArraySlice<KeyPathComponentSyntax>

    /// Returns nil if the path begins at another type than the context's type.
    init?(_ syntax: KeyPathExprSyntax, in context: TypeContext) {
        self.syntax = syntax
        components = Array(syntax.components)[...]
        // The root of `\Outer.Person.age` is `Outer`.
        guard var root = syntax.root?.compactSpelling else { return }
        while !context.isSpelled(root) {
            guard let name = components.popFirst()?.propertyName else { return nil }
            root += "." + name.text
        }
    }

    /// The property of the record; nil if the path begins with something else.
    var property: TokenSyntax? { components.first?.propertyName }

    /// Whether the path is a property, optionally with `desc` or `each`, and not a part of a property.
    var isWhole: Bool { components.count == 1 || isDescending || isOfElements }

    var isDescending: Bool { suffix == ["desc"] }

    /// Whether the path is of the elements of a property.
    var isOfElements: Bool { suffix == ["each"] }

    /// Whether the path is of the elements of a property, in descending order.
    var isOfDescendingElements: Bool { suffix == ["each", "desc"] || suffix == ["desc", "each"] }

    /// The names after the property.
    private var suffix: [String?] { components.dropFirst().map { $0.propertyName?.text } }
}

extension KeyPathComponentSyntax {
    /// The name of a component that is a property.
    var propertyName: TokenSyntax? {
        component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
    }
}
