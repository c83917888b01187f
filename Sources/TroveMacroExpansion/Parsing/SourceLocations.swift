// The lines of properties in the source. A compiler's error about a property's type is reported at the property, not
// in the generated code.

import SwiftSyntax
import SwiftSyntaxMacros

/// Finds the lines of types in a declaration.
struct SourceLocations {
    private let file: ExprSyntax
    private let converter: SourceLocationConverter
    /// The number of lines in the file before the converter's text.
    private let offset: Int

    /// Reads the position of the declaration; nil if it is not in a file. A context would find each type's line by
    /// itself, but it reads the whole declaration each time.
    init?(_ declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
        guard
            let place = context.location(of: declaration, at: .afterLeadingTrivia, filePathMode: .filePath),
            let line = Int(place.line.trimmedDescription)
        else { return nil }
        file = place.file
        converter = SourceLocationConverter(fileName: "", tree: declaration.root)
        offset = line - converter.location(for: declaration.positionAfterSkippingLeadingTrivia).line
    }

    /// Returns the directive for generated code that may have an error because of a type; nil for standard types.
    func directive(of type: TypeSyntax) -> String? {
        guard type.mayBeOutside(visible: []) else { return nil }
        let line = offset + converter.location(for: type.positionAfterSkippingLeadingTrivia).line
        return "#sourceLocation(file: \(file), line: \(line))"
    }
}
