// The common behavior of all subcommands: names, suggestions, errors as JSON, styles.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTerminal
import TroveTestSupport

@IndexKeyRecord("number")
private struct Parcel {
    let number: Int
    var weight: Int
    var town: String

    #Index<Parcel>(\.weight)
    #Index<Parcel>(\.town)
}

@IndexKeyRecord("name")
private struct Depot {
    let name: String
    var town: String

    #Index<Depot>(\.town)
}

@Suite struct CommandLineTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("parcels.trove")
        let store = try Store(
            path: path, records: [Parcel.self, Depot.self], options: StoreOptions(durability: .noSync))
        try store.write { context in
            try context.insert(Parcel(number: 1, weight: 2, town: "Ulm"))
            try context.insert(Depot(name: "a", town: "Ulm"))
        }
    }

    @Test func anIndex_hasOneName_inOneOrder() throws {
        let expected = [
            "TroveCLITests.Depot, index(town)", "TroveCLITests.Parcel, index(weight)",
            "TroveCLITests.Parcel, index(town)",
        ]
        func names(_ lines: [String]) -> [String] {
            lines.compactMap { $0.wholeMatch(of: #/([^\/]*, index\([^)]*\)): .*/#).map { String($0.1) } }
        }
        for verb in ["info", "verify", "check"] {
            #expect(try names(trove(verb, path).lines) == expected, "\(verb)")
        }
        #expect(try names(trove("salvage", path, directory.path("saved.trove")).lines) == expected)
        let rebuilt = try ["Depot", "Parcel"].flatMap { try names(trove("rebuild", path, $0).lines) }
        #expect(rebuilt == expected)
    }

    @Test func verify_listsTypes_asInfoDoes() throws {
        func names(_ lines: [String]) -> [String] {
            lines.compactMap { $0.prefixMatch(of: #/(TroveCLITests[^:]*): /#).map { String($0.1) } }
        }
        let info = try names(trove("info", path).lines)
        #expect(info.count == 5)
        #expect(try names(trove("verify", path).lines) == info)
        let report = try Store.verify(path: path)
        #expect(report.types.map(\.name) == ["TroveCLITests.Depot", "TroveCLITests.Parcel"])
        #expect(report.indexes.map(\.name) == ["index(town)", "index(weight)", "index(town)"])
    }

    @Test func version_isThatOfTheChangelog() throws {
        let (code, lines) = try trove("--version")
        #expect(code == 0)
        let changelog = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/Changelog.md")
        let text = try String(contentsOf: changelog, encoding: .utf8)
        let newest = try #require(text.firstMatch(of: #/\n## [^\n]*?(\d+\.\d+\.\d+)/#)).1
        #expect(lines == [String(newest)])
    }

    // MARK: Suggestions

    @Test func aMisspelledName_isAQuestion() throws {
        func error(_ arguments: String..., code expected: Int = 2) throws -> String {
            let (code, lines) = try trove(arguments + ["--json"])
            #expect(code == expected, "\(arguments)")
            return try jsonObject(lines)["error"] as? String ?? ""
        }
        #expect(try error("verfy", path, code: 64).hasSuffix("Did you mean “verify”?"))
        #expect(try error("inof", path, code: 64) == "“inof” is not a subcommand. Did you mean “info”?")
        #expect(try error("frobnicate", path, code: 64) == "“frobnicate” is not a subcommand.")
        #expect(try error("dump", path, "Parcle").hasSuffix("Did you mean “Parcel”?"))
        #expect(try error("dump", path, "TroveCLITests.Depo").hasSuffix("Did you mean “TroveCLITests.Depot”?"))
        #expect(try error("dump", path, "Quux").hasSuffix("TroveCLITests.Parcel."))
        #expect(try error("rebuild", path, "Parcel", "index(wieght)").hasSuffix("Did you mean “index(weight)”?"))
    }

    @Test func theNearestName_hasTheFewestEdits() {
        #expect(NearestName.of("ceck", among: ["copy", "check", "dump"]) == "check")
        #expect(NearestName.of("DUMP", among: ["copy", "dump"]) == "dump")
        #expect(NearestName.of("x", among: ["copy", "dump"]) == nil)
        #expect(NearestName.of("x", among: []) == nil)
    }

    // MARK: Errors as JSON

    @Test func wrongArguments_areJSON() throws {
        for arguments in [["verify"], ["info", path, "x"], ["dump", path, "Parcel", "--limit=-1"], ["nothing"]] {
            let (code, lines) = try trove(arguments + ["--json"])
            #expect(code == 64, "\(arguments)")
            let report = try jsonObject(lines)
            #expect(report["verdict"] as? String == "failed", "\(arguments)")
            #expect((report["error"] as? String)?.isEmpty == false, "\(arguments)")
            #expect(try trove(arguments + ["--json", "--quiet"]).lines.isEmpty)
            #expect(try trove(arguments).lines.isEmpty)
        }
        #expect(try trove("verify", "--help", "--json").lines.first?.hasPrefix("OVERVIEW: ") == true)
    }

    // MARK: Completions

    @Test(arguments: ["bash", "zsh", "fish"]) func completions_nameEachSubcommand(shell: String) throws {
        let (code, lines) = try trove("--generate-completion-script", shell)
        #expect(code == 0)
        let script = lines.joined(separator: "\n")
        for verb in ["info", "search", "dump", "migrations", "copy", "apply", "verify", "check", "rebuild", "salvage"] {
            #expect(script.contains(verb), "\(verb)")
        }
    }

    // MARK: Styles

    @Test func styles_needATerminal_withoutNOCOLOR() {
        func isStyled(_ isTerminal: Bool, _ environment: [String: String]) -> Bool {
            let stream = TerminalStream(isTerminal: isTerminal, environment: environment)
            return TerminalStyle.good.applied(to: "sound", on: stream) == "\u{1B}[32msound\u{1B}[0m"
        }
        #expect(isStyled(true, ["TERM": "xterm"]))
        #expect(isStyled(true, ["NO_COLOR": ""]))
        #expect(!isStyled(false, ["TERM": "xterm"]))
        #expect(!isStyled(true, ["NO_COLOR": "1"]))
        #expect(!isStyled(true, ["TERM": "dumb"]))
    }

    @Test func output_toAFile_hasNoStyles() throws {
        for arguments in [["verify", path], ["dump", path, "Parcel", "--table"]] {
            #expect(try trove(arguments).lines.allSatisfy { !$0.contains("\u{1B}") })
        }
    }

    #if os(Linux)
    @Test func output_toATerminal_hasStyles() throws {
        #expect(try onTerminal(["verify", path]).contains("\u{1B}[32m"))
        #expect(try onTerminal(["dump", path, "Parcel", "--table"]).contains("\u{1B}[1mnumber"))
        #expect(try !onTerminal(["verify", path], noColor: true).contains("\u{1B}[32m"))
        #expect(try onTerminal(["verify", path, "--json"]).hasPrefix("{"))
    }

    /// Runs the command with a pseudo-terminal as its output.
    private func onTerminal(_ arguments: [String], noColor: Bool = false) throws -> String {
        // TIOCGPTN and TIOCSPTLCK, which Swift does not import: the number of the terminal, and its lock.
        let (getNumber, setLock): (UInt, UInt) = (0x8004_5430, 0x4004_5431)
        let terminal = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        var (number, lock): (Int32, Int32) = (0, 0)
        try #require(unsafe ioctl(terminal, getNumber, &number) == 0)
        try #require(unsafe ioctl(terminal, setLock, &lock) == 0)
        let other = unsafe open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        let process = Process()
        process.executableURL = try ChildProcess.locate("trove")
        process.arguments = arguments
        process.environment = ["TERM": "xterm", "NO_COLOR": noColor ? "1" : ""]
        process.standardOutput = FileHandle(fileDescriptor: other, closeOnDealloc: true)
        try process.run()
        process.waitUntilExit()
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(terminal, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
    #endif
}
#endif
