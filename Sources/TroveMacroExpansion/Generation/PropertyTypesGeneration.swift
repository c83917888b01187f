// The names inside the type for types that its extension cannot see.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the enum `PropertyTypes`.
enum PropertyTypesGeneration {
    static func members(_ types: [OutsideType], in context: TypeContext) -> [DeclSyntax] {
        guard !types.isEmpty else { return [] }
        let aliases = types.map { type in
            let access = type.access < .internal ? "fileprivate " : type.access.memberPrefix
            return "\(access)typealias \(type.alias) = \(type.type)"
        }
        return ["\(raw: SourceText.block("\(context.access.memberPrefix)enum PropertyTypes", aliases))"]
    }
}
