// The lines of properties in the source. A compiler's error about a property's type is reported at the property, not
// in the generated code.

import SwiftSyntax
import SwiftSyntaxMacros

/// Finds the lines of types in the source.
struct SourceLocations {
    let context: any MacroExpansionContext

    /// Returns the directive for generated code that may have an error because of a type; nil for standard types.
    func directive(of type: TypeSyntax) -> String? {
        guard type.mayBeOutside(visible: []),
            let place = context.location(of: type, at: .afterLeadingTrivia, filePathMode: .filePath)
        else { return nil }
        return "#sourceLocation(file: \(place.file), line: \(place.line))"
    }
}
