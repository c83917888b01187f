// `trove upgrade`, and the other subcommands on a store of the other format of LMDB.

#if CommandLine
import Foundation
import LMDB
import Testing
import Trove
import TroveTestSupport

@Suite struct UpgradeCommandTests {
    private let directory: TemporaryDirectory
    private let path: String

    /// Copies a sample in the format that the loaded library does not read.
    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("sample.trove")
        let samples = (0..<2).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appending(path: "TroveTests/Samples")
        let name = Engine.format == .version1 ? "format-1-tables-lmdb-1.0.trove" : "format-1-tables.trove"
        try FileManager.default.copyItem(atPath: samples.appending(path: name).path, toPath: path)
    }

    @Test func aStore_isConverted_once() throws {
        let (code, lines) = try trove("upgrade", "--keep", path)
        #expect(code == 0)
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("the old file is ") == true)
        #expect(lines.last?.contains(": converted from LMDB ") == true)
        #expect(lines.last?.contains("394 entries") == true)
        let again = try trove("upgrade", path)
        #expect(again.code == 0)
        #expect(again.lines.last?.hasSuffix("nothing to do") == true)
        #expect(try trove("check", path).code == 0)
        #expect(try trove("info", path).lines.last?.contains("liblmdb \(Engine.version)") == true)
        let report = try jsonObject(trove("upgrade", "--json", path).lines)
        #expect(report["verdict"] as? String == "up to date")
    }

    @Test func aCheck_writesNothing() throws {
        let before = try Data(contentsOf: URL(filePath: path))
        let (code, lines) = try trove("upgrade", "--check", path)
        #expect(code == 0)
        #expect(lines.first?.hasPrefix("the upgrade needs ") == true)
        #expect(lines.last?.contains("liblmdb \(Engine.version)") == true)
        let plan = try jsonObject(trove("upgrade", "--check", "--json", path).lines)
        #expect(plan["isInUse"] as? Bool == false)
        #expect(plan["target"] as? Int == Int(Engine.format.rawValue))
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        #expect(try directory.names() == ["sample.trove"])
    }

    @Test func otherSubcommands_nameTheUpgrade_orReadBothFormats() throws {
        for words in [
            ["info", path], ["dump", path, "--all"], ["check", path], ["rebuild", path, "SampleMember"],
            ["search", path, "SampleMember", "x"], ["copy", path, directory.path("copy.trove")],
        ] {
            let line = words.map { "'\($0)'" }.joined(separator: " ")
            let (code, _, errors) = try shell("trove \(line)")
            #expect(code == 2, "\(words)")
            #expect(errors.contains("trove upgrade"), "\(words): \(errors)")
        }
        #expect(try trove("verify", path).code == 0)
        #expect(try trove("salvage", path, directory.path("salvaged.trove")).code == 0)
        #expect(try trove("check", directory.path("salvaged.trove")).code == 0)
    }

    @Test func aFileThatIsNoStore_ends2() throws {
        try Data("text".utf8).write(to: URL(filePath: path))
        #expect(try trove("upgrade", path).code == 2)
        #expect(try trove("upgrade", "--check", path).code == 2)
        #expect(try trove("upgrade", directory.path("none")).code == 2)
        #expect(try trove("upgrade").code == 64)
    }

    @Test func aDamagedStore_ends1() throws {
        var file = try RawFile(path)
        for offset in file[file.root(file.record(ofTable: 0))] { file.bytes[offset] = 0 }
        try file.write(to: path)
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(try trove("upgrade", path).code == 1)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }
}
#endif
