// Members inside the type for types and default values outside its extension's scope.

import SwiftSyntax
import SwiftSyntaxBuilder

/// Generates the enums `PropertyTypes` and `PropertyDefaults`.
enum PropertyTypesGeneration {
    static func members(_ types: [OutsideType], in context: TypeContext) -> [DeclSyntax] {
        guard !types.isEmpty else { return [] }
        let aliases = types.map { "\($0.accessPrefix)typealias \($0.alias) = \($0.type)" }
        return ["\(raw: SourceText.block("\(context.access.memberPrefix)enum PropertyTypes", aliases))"]
    }

    static func members(_ defaults: [OutsideDefault], in context: TypeContext) -> [DeclSyntax] {
        guard !defaults.isEmpty else { return [] }
        let functions = defaults.map {
            let function = $0.function
            let head = "\(function.accessPrefix)static func \(function.alias)() -> \(function.type)"
            return SourceText.block(head, [$0.value])
        }
        let head = "nonisolated \(context.access.memberPrefix)enum PropertyDefaults"
        return ["\(raw: SourceText.block(head, functions))"]
    }
}
