// A key path among the arguments of a macro that declares an index.

import SwiftSyntax

/// A literal key path of a record, such as `\.lastName.desc`.
struct IndexedPath {
    let syntax: KeyPathExprSyntax
    /// The arguments after the type.
    private var components: ArraySlice<KeyPathComponentSyntax>

    /// Nil where the path begins at another type than that of the context.
    init?(_ syntax: KeyPathExprSyntax, in context: TypeContext) {
        self.syntax = syntax
        components = Array(syntax.components)[...]
        // Of `\Outer.Person.age`, the root is `Outer`.
        guard var root = syntax.root?.compactSpelling else { return }
        while !context.isSpelled(root) {
            guard let name = components.popFirst()?.propertyName else { return nil }
            root += "." + name.text
        }
    }

    /// The property of the record; nil where the path begins with something else.
    var property: TokenSyntax? { components.first?.propertyName }

    /// Whether it is the property, or the property and `desc`; else it is a part of it.
    var isWhole: Bool { components.count == 1 || isDescending }

    var isDescending: Bool { components.count == 2 && components.last?.propertyName?.text == "desc" }
}

extension KeyPathComponentSyntax {
    fileprivate var propertyName: TokenSyntax? {
        component.as(KeyPathPropertyComponentSyntax.self)?.declName.baseName
    }
}
