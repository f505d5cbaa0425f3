(function(){var s=[].slice.call(document.querySelectorAll('.step'));if(!s.length)return;var b=document.getElementById('game');b.classList.add('js');var r=document.getElementById('at');r.max=s.length-1;
function go(i){i=Math.max(0,Math.min(s.length-1,i));s.forEach(function(e,j){e.classList.toggle('now',i===j)});r.value=i;document.getElementById('where').textContent=i+' of '+(s.length-1)}
r.oninput=function(){go(+r.value)};document.getElementById('back').onclick=function(){go(+r.value-1)};document.getElementById('on').onclick=function(){go(+r.value+1)};go(s.length-1)})();
