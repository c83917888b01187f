// The parser of a property with an attribute for an index, as other libraries declare indexes: `@Index`, `@Unique`,
// `@FullTextIndex`, `@HashIndex`.

import SwiftSyntax
import SwiftSyntaxBuilder

/// A property that would declare an index by its attribute.
struct IndexAttributeSyntax {
    let declaration: VariableDeclSyntax
    let attribute: AttributeSyntax
    let kind: IndexMacroKind

    /// The attribute's name in the source.
    var name: String { attribute.attributeName.as(IdentifierTypeSyntax.self)?.name.text ?? kind.macro }

    /// Returns nil for any other declaration.
    init?(_ declaration: VariableDeclSyntax) {
        for element in declaration.attributes {
            guard let attribute = element.as(AttributeSyntax.self),
                let name = attribute.attributeName.as(IdentifierTypeSyntax.self)?.name.text,
                let kind = IndexMacroKind.all.first(where: { $0.macro == (name == "HashIndex" ? "Index" : name) })
            else { continue }
            self.declaration = declaration
            self.attribute = attribute
            self.kind = kind
            return
        }
        return nil
    }

    /// Returns the declaration by a macro, in the body of a type.
    ///
    /// - Parameter type: The type's name.
    func macro(in type: String) -> String {
        let record = attribute.attributeName.as(IdentifierTypeSyntax.self)?.genericArgumentClause?.trimmedDescription
        let arguments = attribute.arguments?.trimmedDescription ?? "\\.property"
        return "#\(kind.macro)\(record ?? "<\(type)>")(\(arguments))"
    }
}
