/// The page with the login form.
struct LogInForm {
  let context: PageContext

  var html: String {
    PageFrame(context: context).page(
      title: "Log in - \(PageContext.siteName)", bodyClass: "loginform",
      content: """
        <form class="login_form" action="/account.php" method="post">
        <input type="hidden" name="action" value="login">
        <input type="text" name="username"> <input type="password" name="password">
        <input type="hidden" name="next" value="/index.php">
        <input type="submit" name="login" value="Log in">
        </form>
        """)
  }
}
