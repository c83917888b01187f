// The compiler plugin: the macros by the names under which the compiler looks them up. What they do is in
// TroveMacroExpansion, a library, so that its tests need not be built as tools.

import SwiftCompilerPlugin
import SwiftSyntaxMacros
import TroveMacroExpansion

final class IndexKeyRecordMacro: IndexKeyRecordExpansion {}

final class RecordValueMacro: RecordValueExpansion {}

final class RenamedMacro: RenamedExpansion {}

final class IndexMacro: IndexExpansion {}

final class UniqueMacro: IndexExpansion {}

@main
struct TroveMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        IndexKeyRecordMacro.self,
        RecordValueMacro.self,
        RenamedMacro.self,
        IndexMacro.self,
        UniqueMacro.self,
    ]
}
