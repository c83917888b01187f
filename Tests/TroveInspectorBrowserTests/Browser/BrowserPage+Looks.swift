// How a page looks: its size, its scheme, pictures, contrast.

import Foundation

extension BrowserPage {
    /// The color scheme that the system prefers.
    enum Scheme: String, CaseIterable, Sendable {
        case light, dark
    }

    /// Sets the size of the page, in points.
    func resize(width: Int, height: Int) async throws {
        _ = try await send(DevTools.SetViewport(width: width, height: height))
    }

    /// Sets the color scheme that the system prefers.
    func prefer(_ scheme: Scheme) async throws {
        _ = try await send(DevTools.SetMedia(features: [.init(name: "prefers-color-scheme", value: scheme.rawValue)]))
    }

    /// Switches the scripts of later pages on or off.
    func useScripts(_ isOn: Bool) async throws { _ = try await send(DevTools.SetScript(value: !isOn)) }

    /// Returns a picture of the page as PNG.
    func picture() async throws -> Data {
        let text = try await send(DevTools.Capture()).data
        guard let data = Data(base64Encoded: text) else { throw BrowserError("a picture is not base64") }
        return data
    }

    /// Returns how many points the contents are wider than the page: with more than 0, the page scrolls sideways.
    func excessWidth() async throws -> Double {
        try await evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    }

    /// Returns the texts with too little contrast to the color below them, each with its element and the ratio.
    ///
    /// - Parameter ratio: The least ratio of the luminances, by the definition of WCAG 2.
    func faintTexts(below ratio: Double = 4.5) async throws -> [String] {
        try await evaluate("(\(Self.faintTexts))(\(ratio))")
    }

    private static let faintTexts = """
        least => {
            const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })
            // The canvas knows every notation of a color.
            const parse = text => {
                canvas.clearRect(0, 0, 1, 1)
                canvas.fillStyle = text
                canvas.fillRect(0, 0, 1, 1)
                const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data
                return [red, green, blue, alpha / 255]
            }
            const over = (top, below) =>
                [0, 1, 2].map(part => top[part] * top[3] + below[part] * (1 - top[3])).concat(1)
            const ground = element => {
                const own = parse(getComputedStyle(element).backgroundColor)
                if (own[3] === 1) return own
                const below = element.parentElement ? ground(element.parentElement) : parse("Canvas")
                return over(own, below)
            }
            const luminance = color => {
                const [red, green, blue] = color.slice(0, 3).map(part => part / 255)
                    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
                return 0.2126 * red + 0.7152 * green + 0.0722 * blue
            }
            const opacity = element =>
                element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1
            const found = new Set()
            const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
            const fields = [...document.querySelectorAll("input, textarea, select")]
            const elements = fields.filter(field => field.type !== "hidden")
            while (walker.nextNode()) {
                if (walker.currentNode.data.trim()) elements.push(walker.currentNode.parentElement)
            }
            for (const element of elements) {
                if (!element.checkVisibility({ visibilityProperty: true })) continue
                const below = ground(element)
                const color = parse(getComputedStyle(element).color)
                color[3] *= opacity(element)
                const [high, low] = [luminance(over(color, below)), luminance(below)].sort((a, b) => b - a)
                const ratio = (high + 0.05) / (low + 0.05)
                const name = element.tagName.toLowerCase() + [...element.classList].map(name => "." + name).join("")
                const text = (element.innerText ?? "").trim().slice(0, 30)
                if (ratio < least) found.add(`${name} “${text}”: ${ratio.toFixed(2)}`)
            }
            return [...found]
        }
        """
}
