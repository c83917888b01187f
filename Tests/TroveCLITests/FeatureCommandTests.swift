// The command on stores with features of the format, also with features that this version of Trove lacks.

#if CommandLine
import Foundation
import Testing
import Trove
import TroveTestSupport

@IndexKeyRecord("number")
private struct Remark: Hashable {
    let number: Int
    var text: String
}

@Suite struct FeatureCommandTests {
    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("remarks.trove")
    }

    private func writeStore(using features: StoreFeature...) throws {
        var options = StoreOptions(durability: .noSync)
        options.supportedFeatures.formUnion(features)
        try Store(path: path, options: options).write { context in
            for feature in features { try context.use(feature) }
            try context.insert(Remark(number: 1, text: "later"))
        }
    }

    /// The exit code of each verb.
    private func codes() throws -> [String: Int] {
        let copy = directory.path("copy.trove")
        let saved = directory.path("saved.trove")
        defer { for path in [copy, saved] { try? FileManager.default.removeItem(atPath: path) } }
        let arguments = [
            ["info", path], ["dump", path, "Remark"], ["migrations", path], ["copy", path, copy], ["verify", path],
            ["check", path], ["salvage", path, saved], ["rebuild", path, "Remark"],
        ]
        return try Dictionary(uniqueKeysWithValues: arguments.map { ($0[0], try trove($0).code) })
    }

    @Test func info_printsTheFeatures() throws {
        try writeStore(using: .links, StoreFeature(901, .neededToWrite), StoreFeature(902, .mayBeIgnored))
        #expect(
            try trove("info", path).lines.contains(
                "features of the format: 1 (links), needed to read; 901, needed to write; 902, may be ignored"))
        let store = try #require(try jsonObject(trove("info", path, "--json").lines)["store"] as? [String: Any])
        let features = try #require(store["features"] as? [[String: Any]])
        #expect(features.map { $0["number"] as? Int } == [1, 901, 902])
        #expect(features.map { $0["name"] as? String } == ["links", nil, nil])
        #expect(features.map { $0["group"] as? String } == ["neededToRead", "neededToWrite", "mayBeIgnored"])
    }

    @Test func info_ofAStoreWithoutFeatures_doesNotSpeakOfThem() throws {
        try writeStore()
        #expect(try !trove("info", path).lines.contains { $0.contains("feature") })
    }

    @Test func everyVerb_refusesAFeatureNeededToRead() throws {
        try writeStore(using: StoreFeature(900, .neededToRead))
        for (verb, code) in try codes() { #expect(code == 2, "\(verb)") }
    }

    @Test func verbsThatWrite_refuseAFeatureNeededToWrite() throws {
        try writeStore(using: StoreFeature(900, .neededToWrite))
        for (verb, code) in try codes() { #expect(code == (["salvage", "rebuild"].contains(verb) ? 2 : 0), "\(verb)") }
        let lines = directory.path("remarks.jsonl")
        try Data("{\"number\":2,\"text\":\"\"}\n".utf8).write(to: URL(filePath: lines))
        #expect(try shell("trove load '\(path)' '\(lines)' --type Remark").errors.contains("900"))
    }

    @Test func everyVerb_worksWithTheOthers() throws {
        try writeStore(using: .links, StoreFeature(900, .mayBeIgnored))
        for (verb, code) in try codes() { #expect(code == 0, "\(verb)") }
    }
}
#endif
