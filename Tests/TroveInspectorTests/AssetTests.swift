// The stylesheet and the script: colors that can be read, and nothing from elsewhere.

#if Inspector
import Foundation
import Testing

@testable import TroveInspector

struct AssetTests {
    /// The colors of a part of the stylesheet by their names.
    private func colors(_ part: Substring) -> [String: String] {
        var colors: [String: String] = [:]
        for declaration in part.split(separator: ";") {
            let sides = declaration.split(separator: ":")
            guard let value = sides.last, value.contains("#"),
                let name = sides.dropLast().last?.split(whereSeparator: \.isWhitespace).last
            else { continue }
            colors[String(name)] = String(value.drop { $0 != "#" }.dropFirst().prefix(6))
        }
        return colors
    }

    /// Returns the relative luminance of WCAG.
    private func luminance(_ color: String) throws -> Double {
        let number = try #require(Int(color, radix: 16))
        let parts = [number >> 16, number >> 8 & 0xFF, number & 0xFF].map { part in
            let value = Double(part) / 255
            return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    @Test func texts_haveContrast() throws {
        let parts = StylesheetAsset.text.split(separator: "@media (prefers-color-scheme: dark)", maxSplits: 1)
        try #require(parts.count == 2)
        let dark = parts[1].prefix { $0 != "}" }
        for (name, colors) in [("light", colors(parts[0])), ("dark", colors(dark))] {
            for back in ["--back", "--raised", "--mark"] {
                let texts = back == "--mark" ? ["--text"] : ["--text", "--quiet", "--link", "--error"]
                for text in texts {
                    let pair = try [luminance(#require(colors[text])), luminance(#require(colors[back]))].sorted()
                    let contrast = (pair[1] + 0.05) / (pair[0] + 0.05)
                    #expect(contrast >= 4.5, "\(name): \(text) on \(back)")
                }
            }
        }
    }

    @Test func assets_referToNoOtherServer() {
        for text in [StylesheetAsset.text, ScriptAsset.text] {
            for part in ["http:", "https:", "//cdn", "@import", "url(", "innerHTML", "eval(", "document.write"] {
                #expect(!text.contains(part), "\(part)")
            }
        }
        // The only address in it is the name of SVG's elements.
        #expect(IconAsset.text.split(separator: "http").count == 2)
    }

    @Test func routes_haveDistinctPaths() {
        let paths = Routes.pages.map { $0.path }
        #expect(Set(paths).count == paths.count)
        #expect(Routes.pages.compactMap { $0.navigationName }.first == "Types")
    }
}
#endif
