// Streamlit puts the head of a section between the entries of the side menu, where a list may have entries alone: to a screen reader
// the menu is links in a navigation then, and no list.

function menuWithoutList() {
  if (window.leapnoteMenuRoles) return;
  window.leapnoteMenuRoles = true;
  const mend = () => {
    for (const one of document.querySelectorAll("[data-testid=stSidebarNavItems]:not([role]), [data-testid=stSidebarNavItems] li:not([role])"))
      one.setAttribute("role", "none");
  };
  new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
  mend();
}
