// The compiler plugin: the list of macros that it provides.

import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct TroveMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        IndexKeyRecordMacro.self,
        RecordValueMacro.self,
    ]
}
