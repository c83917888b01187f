// The compiler plugin, with the macros under their names in declarations. The library TroveMacroExpansion implements
// them: tests can use it without building a tool.

import SwiftCompilerPlugin
import SwiftSyntaxMacros
import TroveMacroExpansion

final class IndexKeyRecordMacro: IndexKeyRecordExpansion {}

final class EntityModelMacro: IndexKeyRecordExpansion {}

final class RecordValueMacro: RecordValueExpansion {}

final class CloudKitRecordMacro: CloudKitRecordExpansion {}

final class RenamedMacro: RenamedExpansion {}

final class IndexMacro: IndexExpansion {}

final class UniqueMacro: IndexExpansion {}

final class FullTextIndexMacro: IndexExpansion {}

final class TotalsMacro: IndexExpansion {}

@main
struct TroveMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        IndexKeyRecordMacro.self,
        EntityModelMacro.self,
        RecordValueMacro.self,
        CloudKitRecordMacro.self,
        RenamedMacro.self,
        IndexMacro.self,
        UniqueMacro.self,
        FullTextIndexMacro.self,
        TotalsMacro.self,
    ]
}
