// The stylesheet.

#if Inspector
/// The stylesheet of all pages.
enum StylesheetAsset: Asset {
    static let path = "/style.css"
    static let mediaType = "text/css; charset=utf-8"
    static let text = colors + base + parts

    /// The colors, light and dark. Text on each background has a contrast of at least 4.5 : 1.
    private static let colors = """
        :root {
          color-scheme: light dark;
          --back: #ffffff; --raised: #f4f5f7; --text: #1c1e21; --quiet: #565b63; --line: #d5d8dd;
          --link: #0b57a8; --accent: #8a5a00; --error: #a3161f; --mark: #ffe9a8;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --back: #17191c; --raised: #22262b; --text: #e6e8eb; --quiet: #a3a9b2; --line: #3a4048;
            --link: #8cbcff; --accent: #e0b050; --error: #ff9a98; --mark: #5c4a10;
          }
        }

        """

    private static let base = """
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { font: 15px/1.5 system-ui, sans-serif; background: var(--back); color: var(--text); }
        body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; }
        main { flex: 1; width: 100%; max-width: 90rem; margin: 0 auto; padding: 1rem; }
        main:focus { outline: none; }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
        h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem; }
        h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
        ul, ol { padding-left: 1.4rem; margin: .25rem 0 .75rem; }
        a { color: var(--link); }
        a:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible, summary:focus-visible {
          outline: 2px solid var(--accent); outline-offset: 2px;
        }
        code, kbd, pre, textarea, .value { font-family: ui-monospace, monospace; font-size: .9rem; }
        kbd { border: 1px solid var(--line); border-radius: 3px; padding: 0 .3em; background: var(--raised); }
        small { display: block; color: var(--quiet); font-size: .85rem; }
        bdi { unicode-bidi: isolate; overflow-wrap: anywhere; }
        mark { background: var(--mark); color: var(--text); }
        input, textarea, button, select {
          font: inherit; color: var(--text); background: var(--back); border: 1px solid var(--quiet);
          border-radius: 4px; padding: .3rem .6rem; max-width: 100%;
        }
        textarea { width: 100%; resize: vertical; }
        button { background: var(--raised); cursor: pointer; }
        pre { background: var(--raised); padding: .6rem .8rem; border-radius: 4px; overflow-x: auto; margin: .5rem 0; }

        """

    private static let parts = """
        .skip { position: absolute; left: -100rem; background: var(--back); padding: .5rem; }
        .skip:focus { left: .5rem; top: .5rem; }
        header {
          display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .6rem 1rem;
          background: var(--raised); border-bottom: 1px solid var(--line);
        }
        nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; }
        nav a { text-decoration: none; padding: .1rem 0; }
        nav a[aria-current] { color: var(--text); font-weight: 600; border-bottom: 2px solid var(--accent); }
        header .store { margin: 0 0 0 auto; color: var(--quiet); }
        footer {
          display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; justify-content: space-between; align-items: center;
          padding: .6rem 1rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .9rem;
        }
        footer p { margin: 0; overflow-wrap: anywhere; }
        footer code { color: var(--text); margin-right: .5rem; }
        .scrolls { overflow-x: auto; border: 1px solid var(--line); border-radius: 4px; margin: .5rem 0; }
        table { border-collapse: collapse; width: 100%; }
        th, td { text-align: left; vertical-align: top; padding: .35rem .7rem; border-bottom: 1px solid var(--line); }
        tbody tr:last-child > * { border-bottom: none; }
        thead th { background: var(--raised); font-weight: 600; white-space: nowrap; }
        tbody th { font-weight: 400; }
        tr[data-key] th a {
          display: block; max-width: 11rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
        }
        td summary { white-space: nowrap; }
        tbody tr:hover > * { background: var(--raised); }
        td bdi, th bdi { overflow-wrap: break-word; }
        tbody th { white-space: nowrap; }
        tbody th small { white-space: normal; min-width: 14rem; }
        th.number, td.number, span.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        td .value {
          white-space: pre-wrap; max-height: 8rem; overflow: hidden; display: inline-block; max-width: 30rem;
          vertical-align: top;
        }
        .share { display: flex; gap: .6rem; align-items: center; min-width: 9rem; }
        .bar { width: 100%; min-width: 4rem; height: .6rem; flex: 1; }
        .bar .whole { fill: var(--line); }
        .bar .part { fill: var(--accent); }
        .facts, .fields { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; margin: 0 0 1rem; }
        .facts dt, .fields dt { color: var(--quiet); }
        .facts dd, .fields dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
        .fields { gap: .5rem 1.2rem; }
        .fields .fields { margin: 0; padding-left: .8rem; border-left: 2px solid var(--line); }
        .fields .value { white-space: pre-wrap; }
        .kind { color: var(--quiet); font-size: .85rem; font-family: ui-monospace, monospace; }
        .null, .empty, .hint { color: var(--quiet); }
        .error { color: var(--error); white-space: pre-wrap; }
        .lines { display: grid; gap: .6rem; margin: 0 0 1rem; }
        .line { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
        .line label { min-width: 5rem; color: var(--quiet); }
        .line input { flex: 1 1 14rem; min-width: 0; }
        .plan { border-left: 3px solid var(--accent); padding: .1rem .8rem; margin: 0 0 1rem; }
        .plan pre { margin: .3rem 0; }
        .pages { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; }
        .columns { display: grid; gap: 0 2rem; grid-template-columns: repeat(auto-fit, minmax(min(22rem, 100%), 1fr)); }
        .hits { padding: 0; margin: .5rem 0; list-style: none; }
        .hit { padding: .5rem 0; border-bottom: 1px solid var(--line); }
        .hit p { margin: 0 0 .2rem; }
        .score { color: var(--quiet); font-size: .9rem; font-variant-numeric: tabular-nums; margin-left: .5rem; }
        .words code { background: var(--raised); border-radius: 3px; padding: .1em .4em; }
        .progress { display: grid; gap: .3rem; max-width: 40rem; margin: 0 0 1rem; }
        .map, .treemap { display: block; width: 100%; height: auto; margin: .5rem 0; }
        .map { border: 1px solid var(--line); border-radius: 4px; }
        .treemap text { font-size: 13px; fill: #ffffff; }
        .swatch { width: .8rem; height: .8rem; margin-right: .4rem; flex: none; }
        .legend { list-style: none; padding: 0; margin: .5rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
        .legend li { display: flex; align-items: center; }
        .histogram { width: 6rem; height: 1.5rem; display: block; }
        .histogram .part { fill: var(--accent); }
        .hue0 { fill: #1f5fa8; } .hue1 { fill: #9a4a00; } .hue2 { fill: #2c6e34; } .hue3 { fill: #8a2f6b; }
        .hue4 { fill: #5b4bb0; } .hue5 { fill: #0f6f75; } .hue6 { fill: #a32c2c; } .hue7 { fill: #6b6419; }
        .hue-other { fill: #5a626c; } .page-free { fill: var(--line); } .page-meta { fill: var(--text); }
        .page-unreached { fill: #d9a400; }
        .verdict { font-size: 1.1rem; font-weight: 600; }
        .findings { padding-left: 1.2rem; }
        .findings li { margin-bottom: .3rem; overflow-wrap: anywhere; }
        .changed { animation: changed 2s ease-out; }
        @keyframes changed { from { background: var(--mark); } }
        #help {
          position: fixed; right: 1rem; bottom: 1rem; background: var(--back); border: 1px solid var(--quiet);
          border-radius: 6px; padding: .8rem 1.2rem; box-shadow: 0 4px 20px rgb(0 0 0 / .3);
        }
        #help dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1rem; margin: 0; }
        #help dd { margin: 0; }
        @media (max-width: 40rem) {
          main { padding: .75rem; }
          .facts { grid-template-columns: minmax(0, 9rem) 1fr; }
          .fields { grid-template-columns: 1fr; gap: 0; }
          .fields dd { margin-bottom: .5rem; }
          header .store { margin-left: 0; }
        }
        @media (prefers-reduced-motion: reduce) { .changed { animation: none; background: var(--mark); } }

        """
}
#endif
