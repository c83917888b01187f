// Every target, folder and file named in Docs/Architecture.md exists.

import Testing

@Suite struct ArchitectureTests {
    private let page: ArchitecturePage

    init() throws { page = try ArchitecturePage() }

    @Test func journeys_stopAtFiles() {
        #expect(page.journeys.count == 7)
        for journey in page.journeys {
            #expect(journey.stops.count >= 10, "\(journey.title)")
            #expect(journey.numbers == Array(1...max(1, journey.stops.count)), "\(journey.title)")
            for stop in journey.stops { #expect(page.isFile(stop), "\(journey.title): \(stop)") }
        }
    }

    @Test func namedFilesAndFolders_exist() {
        let names = page.codeSpans.filter { name in
            name.hasSuffix(".swift") || name.hasSuffix(".h") || name.hasSuffix("/")
        }
        #expect(names.count > 200)
        for name in Set(names).sorted() { #expect(page.hasSource(named: name), "\(name)") }
    }

    @Test func filesInTables_exist() {
        let rows = page.rows { $0.last == "file" } + page.rows { $0.first == "file" }.map { Array($0.prefix(1)) }
        #expect(rows.count > 50)
        for row in rows {
            let names = ArchitecturePage.codeSpans(in: row.last ?? "")
            #expect(!names.isEmpty, "\(row)")
            for name in names {
                #expect(page.hasSource(named: name) || page.hasSource(named: name + ".swift"), "\(name)")
            }
        }
    }

    @Test func tableOfTargets_isComplete() {
        let rows = page.rows { $0.first == "target" }
        #expect(Set(rows.flatMap { ArchitecturePage.codeSpans(in: $0[0]) }) == page.folders(in: ""))
        for row in rows {
            let names = ArchitecturePage.codeSpans(in: row.last ?? "")
            #expect(!names.isEmpty, "\(row)")
            for target in ArchitecturePage.codeSpans(in: row[0]) {
                for name in names { #expect(page.hasSource(named: "\(target)/\(name)"), "\(target)/\(name)") }
            }
        }
    }

    @Test func tableOfFolders_isComplete() {
        let rows = page.rows { $0.first == "folder" }
        #expect(Set(rows.flatMap { ArchitecturePage.codeSpans(in: $0[0]) }) == page.folders(in: "Trove"))
    }
}
