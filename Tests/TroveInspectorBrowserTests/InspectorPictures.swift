// Pictures of the main pages, for a person to look at: see `scripts/inspector-pictures`.

#if Inspector
import Foundation
import Testing
import TroveTestSupport

extension BrowserTests {
    /// The pictures. With `TROVE_PICTURES` they are kept in that folder, and show the stores `flights.trove` and
    /// `chats.trove` of the folder `TROVE_PICTURE_STORES`.
    @Suite struct InspectorPictures {
        /// A page to take a picture of.
        struct Subject: Sendable {
            var name: String
            /// The name of the store without its ending.
            var store: String
            var path: String
        }

        private static let flight = "FlightsExample.Flight"
        private static let demo = [
            Subject(name: "types", store: "flights", path: "/"),
            Subject(name: "records", store: "flights", path: "/type/\(flight)"),
            Subject(name: "filter", store: "flights", path: "/type/\(flight)?filter=departureDelay%20%3E%20600"),
            Subject(name: "indexes", store: "flights", path: "/indexes"),
            Subject(name: "index", store: "flights", path: "/indexes/\(flight)/index(tailNumber%2CscheduledDeparture)"),
            Subject(name: "layout", store: "flights", path: "/type/\(flight)/layout"),
            Subject(
                name: "sql", store: "flights",
                path: "/sql?q=SELECT%20carrier%2C%20count(*)%20AS%20flights%2C%20round(avg(departureDelay)%2C%201)%20AS"
                    + "%20delay%0AFROM%20Flight%20GROUP%20BY%20carrier%20ORDER%20BY%20flights%20DESC"),
            Subject(name: "space", store: "flights", path: "/space"),
            Subject(name: "check", store: "flights", path: "/health?check=1"),
            Subject(name: "relations", store: "chats", path: "/"),
            Subject(name: "record", store: "chats", path: "/record/ChatsExample.Message/id%3A%203"),
            Subject(name: "chat", store: "chats", path: "/type/ChatsExample.Chat"),
            Subject(name: "search", store: "chats", path: "/search?q=snow%20OR%20hut"),
            Subject(name: "migrations", store: "chats", path: "/migrations"),
        ]
        private static let library = [
            Subject(name: "types", store: "library", path: "/"),
            Subject(name: "search", store: "library", path: "/search?q=whales"),
        ]

        @Test func pages_arePictures() async throws {
            let temporary = try TemporaryDirectory()
            let kept = ProcessInfo.processInfo.environment["TROVE_PICTURES"]
            let folder = kept ?? temporary.path
            let stores = ProcessInfo.processInfo.environment["TROVE_PICTURE_STORES"] ?? folder
            if kept == nil { try Library.write(to: folder + "/library.trove") }
            let subjects = kept == nil ? Self.library : Self.demo
            let page = try await Browser.start().newPage()
            for store in Set(subjects.map(\.store)).sorted() {
                let inspector = try InspectorProcess("\(stores)/\(store).trove")
                try await page.open(inspector.address)
                let origin = try #require(inspector.address.firstMatch(of: #/http://[^\/]*/#)).0
                for subject in subjects where subject.store == store {
                    try await page.open(origin + subject.path)
                    for width in [400, 1280] {
                        for scheme in BrowserPage.Scheme.allCases {
                            try await page.prefer(scheme)
                            try await page.resize(width: width, height: 800)
                            let picture = try await page.picture()
                            // The header has the width and the height, in big-endian order.
                            #expect(picture[16..<20].reduce(0) { $0 << 8 | Int($1) } == width)
                            let name = "\(folder)/\(subject.name)-\(width)-\(scheme).png"
                            try picture.write(to: URL(filePath: name))
                        }
                    }
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".png") }
            #expect(names.count >= subjects.count * 4)
        }
    }
}
#endif
