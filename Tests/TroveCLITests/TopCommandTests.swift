// `trove top` in a terminal and in a pipe.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("id")
private struct Wagon {
    let id: Int
    var name: String
}

@Suite(.timeLimit(.minutes(60))) struct TopCommandTests {
    private let directory: TemporaryDirectory
    private let store: Store

    init() throws {
        directory = try TemporaryDirectory()
        store = try Store(
            path: directory.path("wagons.trove"), records: [Wagon.self], options: StoreOptions(durability: .noSync))
        try store.insert(contentsOf: (0..<500).map { Wagon(id: $0, name: "wagon") })
    }

    private func terminal(_ more: [String: String] = [:]) throws -> PseudoTerminal {
        var environment = ["TERM": "xterm", "NO_COLOR": "1"]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = ProcessInfo.processInfo.environment[name] }
        environment.merge(more) { $1 }
        return try PseudoTerminal(["top", store.path], environment: environment)
    }

    /// Expects the codes that show the former screen again, with its cursor.
    private func expectRestored(_ terminal: PseudoTerminal) throws {
        try terminal.expect("\u{1B}[?25h\u{1B}[?1049l")
        #expect(try terminal.isRaw() == false)
    }

    @Test func oneFrame_isPrintedWithoutControlCodes() throws {
        let (code, lines) = try trove("top", store.path, "--once")
        #expect(code == 0 && lines.first == store.path)
        #expect(lines.contains { $0.hasPrefix("commits  ") && !$0.contains("second") })
        #expect(lines.contains { $0.hasPrefix("TroveCLITests.Wagon") && $0.contains("500") }, "\(lines)")
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
        // A pipe is no terminal.
        #expect(try trove("top", store.path).lines.first == store.path)
        #expect(try trove("top", store.path, "--quiet").lines == [])
    }

    @Test func asJSON_aFrameIsAnObjectOnALine() throws {
        let (code, lines) = try trove("top", store.path, "--once", "--json")
        #expect(code == 0 && lines.count == 1)
        let object = try jsonObject(lines)
        #expect(object["commit"] as? Int == Int(try store.commitSequence))
        let types = try #require(object["types"] as? [[String: Any]])
        #expect(types.map { $0["name"] as? String } == ["TroveCLITests.Wagon"])
        #expect(types.map { $0["records"] as? Int } == [500])
        // This process has a slot, without an open read.
        #expect((object["readers"] as? [Any])?.isEmpty == true && (object["readerSlots"] as? Int ?? 0) > 0)
    }

    @Test func aStream_hasALineEachSecond() throws {
        let process = try ChildProcess(["top", store.path, "--json"], executable: "trove")
        let first = try jsonObject([try #require(process.readLine())])
        try store.insert(Wagon(id: 1_000, name: "new"))
        let second = try jsonObject([try #require(process.readLine())])
        #expect(first["commitsPerSecond"] == nil && second["commitsPerSecond"] is Double)
        process.kill()
        _ = process.wait()
    }

    @Test func theScreen_isDrawnAgain_andQEndsIt() throws {
        let terminal = try terminal()
        try terminal.expect("\u{1B}[?1049h\u{1B}[?25l")
        try terminal.expect("TroveCLITests.Wagon")
        try terminal.expect("q ends")
        #expect(try terminal.isRaw())
        // A later frame has a rate, and the change.
        try store.insert(Wagon(id: 1_000, name: "new"))
        try terminal.expect(" a second")
        try terminal.expect("501")
        try terminal.type("xq")
        try expectRestored(terminal)
        #expect(terminal.wait() == 0)
    }

    @Test(arguments: ["\u{03}", "\u{04}", "Q"]) func otherKeys_endItToo(_ key: String) throws {
        let terminal = try terminal()
        try terminal.expect("q ends")
        try terminal.type(key)
        try expectRestored(terminal)
        #expect(terminal.wait() == 0)
    }

    @Test func aSignal_restoresTheTerminal() throws {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let terminal = try terminal()
            try terminal.expect("q ends")
            terminal.send(number)
            try expectRestored(terminal)
            #expect(terminal.wait() == 0)
        }
    }

    @Test func anotherSize_isDrawnAtOnce() throws {
        let terminal = try terminal()
        try terminal.expect("q ends")
        try terminal.resize(columns: 9, rows: 3)
        // The path is cut to the width, and little else has room.
        try terminal.expect("…\u{1B}[2;1H\u{1B}[Kcommits …\u{1B}[3;1H\u{1B}[Kq ends")
        try terminal.resize(columns: 1, rows: 1)
        try terminal.expect("\u{1B}[1;1H\u{1B}[K…")
        try terminal.type("q")
        try expectRestored(terminal)
        #expect(terminal.wait() == 0)
    }

    @Test func aDumbTerminal_getsOneFrame() throws {
        let terminal = try terminal(["TERM": "dumb"])
        try terminal.expect("TroveCLITests.Wagon")
        #expect(terminal.wait() == 0)
        #expect(!terminal.screen.contains("\u{1B}"))
    }

    @Test func headings_haveAStyle() throws {
        let terminal = try terminal(["NO_COLOR": ""])
        try terminal.expect("\u{1B}[1m")
        try terminal.type("q")
        #expect(terminal.wait() == 0)
    }

    // MARK: What happens to the store

    @Test func aStoreThatIsReplaced_isToldInASentence() throws {
        let terminal = try terminal()
        try terminal.expect("q ends")
        let other = directory.path("other.trove")
        try Store(path: other, options: StoreOptions(durability: .noSync)).close()
        try FileManager.default.removeItem(atPath: store.path)
        try FileManager.default.moveItem(atPath: other, toPath: store.path)
        try expectRestored(terminal)
        try terminal.expect("wagons.trove was moved, removed or replaced")
        #expect(terminal.wait() == 2)
    }

    @Test func aStoreThatIsDamaged_isToldInASentence() throws {
        let terminal = try terminal()
        try terminal.expect("q ends")
        try store.close()
        // All pages but the meta pages, in place: the command has the file open.
        let handle = try FileHandle(forUpdating: URL(filePath: store.path))
        let size = try handle.seekToEnd()
        let pageSize = UInt64(RawFile.pageSize)
        try handle.seek(toOffset: 2 * pageSize)
        try handle.write(contentsOf: Data(repeating: 0xFF, count: Int(size - 2 * pageSize)))
        try handle.close()
        try expectRestored(terminal)
        try terminal.expect("trove: ")
        #expect(terminal.wait() == 1)
    }

    @Test func aStoreThatIsCutOff_isToldInASentence() throws {
        let terminal = try terminal()
        try terminal.expect("q ends")
        try store.close()
        let handle = try FileHandle(forUpdating: URL(filePath: store.path))
        try handle.truncate(atOffset: UInt64(2 * RawFile.pageSize))
        try handle.close()
        try expectRestored(terminal)
        try terminal.expect("trove: ")
        #expect(terminal.wait() == 1)
    }

    @Test func wrongArguments_areRefused() throws {
        #expect(try trove("top", directory.path("none.trove")).code == 2)
        #expect(try trove("top", store.path, "--twice").code == 64)
    }
}
#endif
