// `trove inspect`: it prints the address of a server that runs until it is ended.

#if CommandLine && Inspector
import Foundation
import Testing
import Trove
import TroveTestSupport

struct InspectCommandTests {
    @Test(arguments: [true, false], [[], ["--write"]])
    func address_isPrinted(_ isStore: Bool, _ options: [String]) throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        if isStore {
            _ = try Store(path: path)
        } else {
            // A store that cannot be opened has a page, too.
            try Data("no store at all".utf8).write(to: URL(filePath: path))
        }
        let process = try ChildProcess(["inspect", path] + options, executable: "trove")
        let line = try #require(process.readLine())
        let form = /Open http:\/\/127\.0\.0\.1:([0-9]+)\/\?t=[0-9a-f]{32} \(Ctrl-C ends it\)/
        let match = try #require(try form.wholeMatch(in: line), "\(line)")
        // The port is taken now.
        #expect(try trove("inspect", path, "--port", String(match.1)).code == 2)
        process.kill()
        #expect(process.readLine() == nil)
    }

    @Test func aSchemaLock_isReadFirst() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("a.trove")
        _ = try Store(path: path)
        let lock = directory.path("schema.json")
        #expect(try trove("inspect", path, "--lock", lock).code == 2)
        try Data("{\"format\": 1}".utf8).write(to: URL(filePath: lock))
        #expect(try trove("inspect", path, "--lock", lock).code == 2)
        try Data("{\"format\": 1, \"types\": []}".utf8).write(to: URL(filePath: lock))
        let process = try ChildProcess(["inspect", path, "--lock", lock], executable: "trove")
        #expect(try #require(process.readLine()).hasPrefix("Open http://127.0.0.1:"))
        process.kill()
        #expect(process.readLine() == nil)
    }

    @Test func wrongArguments_areRefused() throws {
        #expect(try trove("inspect", "a.trove", "--port", "65536").code == 64)
        #expect(try trove("inspect", "a.trove", "--port", "-1").code == 64)
        #expect(try trove("inspect", "a.trove", "--json").code == 64)
        #expect(try trove("inspect").code == 64)
    }
}
#endif
