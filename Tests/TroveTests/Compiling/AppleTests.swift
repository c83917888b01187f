// The files for Apple's platforms, and the views of an app, compiled with stand-ins for SwiftUI, UIKit, Combine and
// Darwin.

import Foundation
import Testing
import TroveTestSupport

@Suite("Files for Apple's platforms", .enabled(if: Compiler.isThere, "there is no swiftc on the path"))
struct AppleTests {
    private let modules: TemporaryDirectory

    init() throws {
        modules = try TemporaryDirectory()
        try Compiler.emitModule("SwiftUI", of: AppleStandIns.swiftUI, in: modules)
        try Compiler.emitModule("Combine", of: AppleStandIns.combine, in: modules)
    }

    private func errors(in app: String) throws -> [String] {
        let folder = Compiler.sources.appending(path: "Sources/Trove/LiveObjects/Apple")
        let files = ["LiveQuery.swift", "LiveObject+Combine.swift"]
        let texts = try files.map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
        // Parts of the module Trove, and an app beside it.
        let code = (["@testable import Trove"] + texts + [app]).joined(separator: "\n")
        return try Compiler.errors(in: code, flags: ["-I", modules.path("")])
    }

    @Test func filesAndViews_compile() throws {
        #expect(try errors(in: AppleStandIns.app) == [])
    }

    private func errors(inNotificationsAnd use: String) throws -> [String] {
        let modules = try TemporaryDirectory()
        try Compiler.emitModule("UIKit", of: AppleStandIns.uiKit, in: modules)
        let file = Compiler.sources.appending(path: "Sources/Trove/Store/AppNotifications.swift")
        let code = try ["@testable import Trove", String(contentsOf: file, encoding: .utf8), use]
        return try Compiler.errors(in: code.joined(separator: "\n"), flags: ["-I", modules.path("")])
    }

    @Test func notifications_compile() throws {
        let use = """
            func follow() -> AppNotifications {
                AppNotifications.runInBackground { isTimeOver in print(isTimeOver) }
                return AppNotifications { event in print(event) }
            }
            """
        #expect(try errors(inNotificationsAnd: use) == [])
        // The observations exist with UIKit only.
        let wrong = "extension AppNotifications { var count: Int { observations.counted } }"
        #expect(try errors(inNotificationsAnd: wrong).map { $0.contains("counted") } == [true])
    }

    #if !canImport(Darwin)
    @Test func protectionCalls_compile() throws {
        let modules = try TemporaryDirectory()
        try Compiler.emitModule("Darwin", of: AppleStandIns.darwin, in: modules)
        let file = Compiler.sources.appending(path: "Sources/LMDB/Internals/ProtectionCalls.swift")
        let code = try String(contentsOf: file, encoding: .utf8)
        #expect(try Compiler.errors(in: code, flags: ["-I", modules.path("")]) == [])
        let wrong = code + "func wrong() { ProtectionCalls.setClass() }"
        #expect(try Compiler.errors(in: wrong, flags: ["-I", modules.path("")]).count == 1)
    }
    #endif

    /// The stand-ins are seen by the files: `canImport` is true.
    @Test func aWrongUse_doesNotCompile() throws {
        let wrong = AppleStandIns.app.replacingOccurrences(of: "$friend.name", with: "$friend.age")
        #expect(try errors(in: wrong).count == 1)
    }
}

extension Compiler {
    /// Compiles a module into a directory.
    fileprivate static func emitModule(_ name: String, of code: String, in directory: TemporaryDirectory) throws {
        let file = directory.path("\(name).swift")
        try Data(code.utf8).write(to: URL(fileURLWithPath: file))
        let (status, output) = try run([
            "-swift-version", "6", "-parse-as-library", "-module-name", name, "-emit-module", "-emit-module-path",
            directory.path("\(name).swiftmodule"), file,
        ])
        try #require(status == 0, "\(output)")
    }
}
