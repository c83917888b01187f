// A page's mouse and keyboard.

import Foundation

extension BrowserPage {
    /// A key that is not a letter.
    enum Key: String {
        case enter = "Enter"
        case escape = "Escape"
        case tab = "Tab"
        case down = "ArrowDown"
        case up = "ArrowUp"

        fileprivate var code: Int {
            switch self {
            case .enter: 13
            case .escape: 27
            case .tab: 9
            case .down: 40
            case .up: 38
            }
        }
    }

    private struct Point: Decodable {
        var x: Double
        var y: Double
    }

    /// Clicks on the first element for a selector, with the mouse.
    ///
    /// Throws if the page has no such element, or if another element covers it.
    func click(_ selector: String) async throws {
        try await click(selector, element: "document.querySelector(\(quoted(selector)))")
    }

    /// Clicks on the first link or button with a visible text, and waits until the next page is loaded.
    func follow(_ text: String, in selector: String = "body") async throws {
        let element = """
            [...document.querySelectorAll(\(quoted(selector)) + " :is(a, button, summary)")]
                .find(element => element.innerText.trim() === \(quoted(text)))
            """
        try await load { try await self.click("“\(text)”", element: element) }
    }

    private func click(_ name: String, element: String) async throws {
        let script = """
            (() => {
                const element = \(element)
                if (!element) return null
                element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" })
                const box = element.getClientRects()[0]
                if (!box) return null
                const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
                const hit = document.elementFromPoint(x, y)
                return element.contains(hit) || hit?.closest("label")?.control === element ? { x, y } : null
            })()
            """
        guard let point = try await evaluate(script, as: Point?.self) else {
            throw BrowserError("nothing to click: \(name) on \(try await address)")
        }
        for type in ["mouseMoved", "mousePressed", "mouseReleased"] {
            _ = try await send(DevTools.MoveMouse(type: type, x: point.x, y: point.y))
        }
    }

    /// Types a text, a key for each character, where the focus is.
    func type(_ text: String) async throws {
        for character in text {
            let key = String(character)
            _ = try await send(DevTools.PressKey(type: "keyDown", key: key, text: key))
            _ = try await send(DevTools.PressKey(type: "keyUp", key: key))
        }
    }

    /// Replaces the text of a field.
    func fill(_ selector: String, with text: String) async throws {
        try await click(selector)
        _ = try await evaluate("document.querySelector(\(quoted(selector))).select()", as: Bool?.self)
        _ = try await send(DevTools.InsertText(text: text))
    }

    /// Presses a key.
    func press(_ key: Key) async throws {
        let text = key == .enter ? "\r" : nil
        for type in ["keyDown", "keyUp"] {
            let press = DevTools.PressKey(
                type: type, key: key.rawValue, code: key.rawValue, text: type == "keyDown" ? text : nil,
                windowsVirtualKeyCode: key.code)
            _ = try await send(press)
        }
    }
}
