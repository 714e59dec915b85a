/// Texts that become markup, or leave an attribute, where they are not escaped.
enum HostileText {
  static let all = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "\"\u{301} onfocus=alert(1) autofocus x=\"",
    "<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg>",
    "<a href=\"java\nscript:alert(1)\">x</a>",
    "</title></textarea></script><script>alert(1)</script>",
    "<iframe srcdoc=\"<script>alert(1)</script>\">", "{{constructor}}", "<base href=//evil.test/>",
    "\r\n\r\ndata: x\n\nevent: insert\ndata: {}\n\n", "\u{0}\u{1B}[2J\u{202E}",
    "<!--><script>alert(1)</script>-->",
  ]
}
