// The compiler, for tests of its refusals.

import Foundation
import LMDB
import TroveTestSupport

/// The `swiftc` of the running toolchain, with the modules and the macros of this build.
enum Compiler {
    /// Whether there is a `swiftc` on the path.
    static let isThere: Bool = {
        do {
            return try run(["--version"]).status == 0
        } catch {
            return false
        }
    }()

    /// Returns the errors of a program, in the compiler's words; an empty array if the program compiles.
    ///
    /// The compilation goes as far as SIL, where moves and lifetimes are checked.
    static func errors(in code: String, flags: [String] = []) throws -> [String] {
        let (status, output) = try compile(code, flags: flags)
        let errors = output.split(separator: "\n").compactMap { line in
            line.firstRange(of: " error: ").map { String(line[$0.upperBound...]) }
        }
        // A failure without a message is not a refusal of the program: the compiler's arguments were wrong.
        return status == 0 || !errors.isEmpty ? errors : [output]
    }

    /// Returns the lines of a program's errors; nil for an error outside the program.
    static func lines(ofErrorsIn code: String) throws -> [Int?] {
        try compile(code).output.split(separator: "\n").filter { $0.contains(" error: ") }.map { line in
            line.firstRange(of: "program.swift:").flatMap { Int(line[$0.upperBound...].prefix { $0 != ":" }) }
        }
    }

    private static func compile(_ code: String, flags: [String] = []) throws -> (status: Int32, output: String) {
        let directory = try TemporaryDirectory()
        let file = directory.path("program.swift")
        try Data(code.utf8).write(to: URL(fileURLWithPath: file))
        return try run(["-emit-sil", "-o", "/dev/null"] + self.flags() + flags + [file])
    }

    private static func flags() throws -> [String] {
        let modules = try ChildProcess.locate("TroveStoreWorker").deletingLastPathComponent().appending(path: "Modules")
        // Builds of the optimizer and of the sanitizers use the macros of the debug build.
        let plugin = ProcessInfo.processInfo.environment["TROVE_MACRO_PLUGIN"]
        let macros = try plugin.map { URL(filePath: $0) } ?? ChildProcess.locate("TroveMacros-tool")
        let libraries = modules.resolvingSymlinksInPath().appending(path: "../../../checkouts").standardized
        let engine =
            Engine.isBuiltFromSource
            ? [
                "-I", sources.appending(path: "Sources/CTroveLMDB/Source/include").path,
                "-I", libraries.appending(path: "swift-lmdb/Sources/CLMDB/include").path,
            ] : ["-I", sources.appending(path: "Sources/CTroveLMDB/System").path]
        // Homebrew's directory of lmdb.h; on other systems the file is on the compiler's own path.
        let headers = ["/opt/homebrew/include", "/usr/local/include"].flatMap { ["-Xcc", "-I\($0)"] }
        return [
            "-swift-version", "6", "-diagnostic-style", "llvm", "-module-name", "Program", "-parse-as-library",
            "-I", modules.path, "-I", sources.appending(path: "Sources/CUnicodeData/include").path,
            "-I", sources.appending(path: "Sources/CTroveShims/include").path,
            "-load-plugin-executable", "\(macros.path)#TroveMacros",
        ] + engine + headers
    }

    /// The directory of the package.
    static let sources = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swiftc"] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
